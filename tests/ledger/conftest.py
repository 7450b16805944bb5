from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection

from once_delivery.ledger.services import work_target
from tests.fakes.clock import DatabaseClock, database_clock
from tests.fakes.connected import connect
from tests.fakes.connector import FakeTarget


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeTarget:
    """Every target of the test is this one."""
    return connect(monkeypatch, FakeTarget(), work_target)


@pytest.fixture
def clock(transactional_db: None) -> Iterator[DatabaseClock]:
    """The database's clock in the test's hand."""
    with database_clock() as clock:
        yield clock


@pytest.fixture(params=["hashjoin", "mergejoin", "nestloop"])
def plan(transactional_db: None, request: pytest.FixtureRequest) -> Iterator[None]:
    """PostgreSQL joins in one way only: each meets rows in an order of its own."""
    others = {"hashjoin", "mergejoin", "nestloop"} - {request.param}
    with connection.cursor() as cursor:
        for other in others:
            cursor.execute(f"SET enable_{other} = off")
        yield
        for other in others:
            cursor.execute(f"RESET enable_{other}")

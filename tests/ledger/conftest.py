from __future__ import annotations

from collections.abc import Iterator

import pytest

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

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from once_delivery.ledger.services import work_target
from once_delivery.targets.models import Target
from tests.fakes.clock import DatabaseClock, database_clock
from tests.fakes.connector import FakeConnector, FakeTarget


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeTarget:
    """Every target of the test is this one."""
    target = FakeTarget()

    @contextmanager
    def connected(_: Target) -> Iterator[FakeConnector]:
        yield FakeConnector(target)

    monkeypatch.setattr(work_target, "connected", connected)
    return target


@pytest.fixture
def clock(transactional_db: None) -> Iterator[DatabaseClock]:
    """The database's clock in the test's hand."""
    with database_clock() as clock:
        yield clock

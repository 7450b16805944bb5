from __future__ import annotations

from collections.abc import Iterator

import pytest

from once_delivery.ledger.models import Task
from once_delivery.ledger.services import work_target
from once_delivery.review.services import fetch_draft
from reconciliation.services import audit_target
from tests.fakes.clock import DatabaseClock, database_clock
from tests.fakes.connected import connect
from tests.fakes.connector import FakeTarget
from tests.retention.given import YEAR, a_project_full_of_words


@pytest.fixture
def clock(transactional_db: None) -> Iterator[DatabaseClock]:
    """The database's clock in the test's hand."""
    with database_clock() as clock:
        yield clock


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeTarget:
    """Every target of the test is this one, whoever asks it."""
    return connect(monkeypatch, FakeTarget(), work_target, fetch_draft, audit_target)


@pytest.fixture
def told(fake: FakeTarget, clock: DatabaseClock) -> Task:
    """A task with a long story, a year ago."""
    task = a_project_full_of_words(fake)
    clock.forward(YEAR)
    return task

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import translation

from once_delivery.accounts.models import Project
from once_delivery.api.rate import RATE
from tests.api.caller import Caller, a_caller
from tests.builders import a_project
from tests.fakes.clock import DatabaseClock, database_clock
from tests.ledger.given import a_real_target


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    """What one test has called, and in which language, is nothing to the next."""
    RATE._buckets.clear()
    with translation.override("en"):
        yield


@pytest.fixture
def project(db: None) -> Project:
    return a_project()


@pytest.fixture
def caller(project: Project) -> Caller:
    """An ops owner's token; the target is one with the numbers of real life."""
    a_real_target(project)
    return a_caller(project)


@pytest.fixture
def clock(transactional_db: None) -> Iterator[DatabaseClock]:
    """The database's clock in the test's hand."""
    with database_clock() as clock:
        yield clock

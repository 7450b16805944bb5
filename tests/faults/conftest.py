from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from once_delivery.common.embedded_postgres import EmbeddedPostgres
from tests.faults.house import House


@pytest.fixture(scope="session")
def house(embedded_postgres: EmbeddedPostgres, django_db_blocker: DjangoDbBlocker) -> Iterator[House]:
    """Databases, a sandbox and a nursery, shared by all cases; each case has its own database and space."""
    with django_db_blocker.unblock(), House(embedded_postgres) as house:
        yield house

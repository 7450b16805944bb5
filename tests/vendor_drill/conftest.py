from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import setup_databases, teardown_databases
from pytest_django import DjangoDbBlocker

from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.sandbox.process import SandboxProcess
from tests.builders import a_project
from tests.vendor_drill.given import Running, Vendor, a_vendor, agreed, proxy_running


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxAdmin]:
    with SandboxProcess(Path(tmp_path_factory.mktemp("vendor-sandbox")) / "data") as process:
        yield process.admin


@pytest.fixture(scope="session")
def test_database(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """pytest-django makes one only when one of the chosen tests is marked."""
    if str(connection.settings_dict["NAME"]).startswith("test_once_"):
        yield
        return
    with django_db_blocker.unblock():
        made = setup_databases(verbosity=0, interactive=False)
    yield
    with django_db_blocker.unblock():
        teardown_databases(made, verbosity=0)


@pytest.fixture(scope="module")
def committed(test_database: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Rows are committed, since the proxy has connections of its own; the tables are emptied once, after the module."""
    with django_db_blocker.unblock():
        yield
        call_command("flush", verbosity=0, interactive=False)


@pytest.fixture(scope="module")
def proxy(committed: None) -> Iterator[Running]:
    with proxy_running() as running:
        yield running


@pytest.fixture
def vendor(sandbox: SandboxAdmin, proxy: Running) -> Callable[..., Vendor]:
    """A vendor with an open drill on a space of its own."""

    def made(count: int = 3, **changes: Any) -> Vendor:
        return a_vendor(a_project(), sandbox, proxy.port, agreed(count, **changes))

    return made

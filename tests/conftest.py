"""What every test has: a PostgreSQL of its own, no way to the outside, known Hypothesis profiles."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
from django.conf import settings
from django.utils import translation
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from psycopg import sql
from psycopg.conninfo import make_conninfo

from once_delivery.common.embedded_postgres import ADMIN, ROLE, EmbeddedPostgres
from once_delivery.config.translations.catalogs import catalog_files
from tests import emptying
from tests.house.sources import ROOT
from tests.shared_world import SHARED

hypothesis_settings.register_profile("dev", max_examples=50, deadline=None)
hypothesis_settings.register_profile(
    "ci", max_examples=500, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("ci" if os.environ.get("CI") else "dev")


def pytest_configure() -> None:
    """Pages are read in the language that a test asks for, not in what was last compiled; databases are emptied quickly."""
    emptying.install()
    for file in catalog_files(Path(settings.LOCALE_PATHS[0]), ["zh_Hans"]):
        file.compile()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, embedded_postgres: EmbeddedPostgres
) -> None:
    """The server runs before the test database is made."""


@pytest.fixture(scope="session")
def embedded_postgres() -> Iterator[EmbeddedPostgres]:
    """The tests' server; the last session that uses it stops it."""
    server: EmbeddedPostgres = settings.DATABASES["default"]["EMBEDDED"]
    with server.in_use():
        _drop_left_overs(server)
        _may_let_triggers_rest(server)
        yield server


def _may_let_triggers_rest(server: EmbeddedPostgres) -> None:
    """What ``tests/emptying.py`` needs; one session after the other says so, or both would write the same row."""
    with psycopg.connect(make_conninfo(**server.connection("postgres", ADMIN))) as admin:
        admin.execute("SELECT pg_advisory_xact_lock(1)")
        admin.execute(f"GRANT SET ON PARAMETER session_replication_role TO {ROLE}")


def _drop_left_overs(server: EmbeddedPostgres) -> None:
    """Databases of sessions that were killed go; the name of each says which process made it."""
    with psycopg.connect(make_conninfo(**server.connection()), autocommit=True) as connection:
        rows = connection.execute(
            "SELECT datname FROM pg_database WHERE datname LIKE 'test\\_once\\_%'"
        ).fetchall()
        for (name,) in rows:
            owner = name.split("_")[2]
            if owner.isdecimal() and psutil.pid_exists(int(owner)):
                continue
            with contextlib.suppress(
                psycopg.Error
            ):  # another session drops it, or a vacuum is at work: next time
                connection.execute(
                    sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
                )


# what waits for real timers, kills whole houses or plays thousands of histories: make test-slow, part of make test-real
SLOW = (
    "tests/faults/",
    "tests/config/test_serve.py",
    "tests/config/test_embedded_postgres.py",
    "tests/config/test_celery.py",
    "tests/drill/test_drill.py",
    "tests/drill/test_drill_target.py",
    "tests/drill/test_pages.py",
    "tests/ledger/test_machine.py",
    "tests/ledger/test_update_machine.py",
    "tests/probing/test_killed.py",
    "tests/reconciliation/test_long_lists.py",
    "tests/targets/test_jobs_ledger.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.relative_to(ROOT).as_posix().startswith(SLOW):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def _no_language_is_left() -> Iterator[None]:
    """What one test's reader spoke is not what the next one reads."""
    yield
    translation.deactivate()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """What a module's tests share goes before others run."""
    SHARED.make_way(item)


def pytest_sessionfinish() -> None:
    """The last one too."""
    SHARED.leave()


def pytest_make_parametrize_id(val: object) -> str | None:
    """A set has no order: its name must not differ from one process to the next."""
    if isinstance(val, set | frozenset):
        return "+".join(sorted(map(str, val))) or "none"
    return None

from __future__ import annotations

import pytest
from django.core.checks import CheckMessage
from django.db import connection, connections
from pytest_django import DjangoAssertNumQueries, Settings

from once_delivery.config.checks import broker, database


def ids(findings: list[CheckMessage]) -> list[str | None]:
    return [finding.id for finding in findings]


@pytest.mark.django_db
def test_a_migrated_database_is_fine() -> None:
    assert database(["default"]) == []


@pytest.mark.django_db
def test_a_missing_and_a_disabled_trigger_are_named() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE ledger_event DISABLE TRIGGER once_append_only")
        cursor.execute("DROP TRIGGER once_changes ON ledger_action")
    (finding,) = database(["default"])
    assert finding.id == "once.E003"
    assert "ledger_action.once_changes, ledger_event.once_append_only" in finding.msg


@pytest.mark.django_db
def test_what_a_waiting_migration_will_make_is_not_missed() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER once_changes ON ledger_action")
        cursor.execute("DELETE FROM django_migrations WHERE app = 'ledger'")
    assert database(["default"]) == []


@pytest.mark.django_db
def test_an_old_server_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connections["default"].__dict__, "pg_version", 140_011)
    assert ids(database(["default"])) == ["once.E002"]


@pytest.mark.django_db
def test_a_queue_without_tables_is_told(settings: Settings) -> None:
    settings.CELERY_BROKER_URL = "pgmq://database"
    assert database(["default"]) == []
    with connection.cursor() as cursor:
        cursor.execute("ALTER SCHEMA pgmq RENAME TO pgmq_gone")
    assert ids(database(["default"])) == ["once.E004"]


def test_no_database_is_asked_when_none_is_named(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    assert database() == []


def test_a_broker_that_wakes_nobody_is_told(settings: Settings) -> None:
    assert ids(broker()) == ["once.W001"]
    settings.CELERY_BROKER_URL = "redis://localhost"
    assert broker() == []

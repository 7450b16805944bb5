"""What is looked at before the house runs: each finding has an id and says what to do.

Registered as database checks: they run with ``manage.py migrate`` and ``manage.py check --database default``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004 -- Django's own name
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import OperationalError

OLDEST_POSTGRESQL = 150_000
# what the rules of the ledger rest on (R10): append-only, known arrows, each with its event
TRIGGERS: dict[str, frozenset[str]] = {
    "ledger_action": frozenset(
        {
            "once_starts_planned",
            "once_changes",
            "once_has_event",
            "once_never_deleted",
            "once_by_permit_is_fixed",
        }
    ),
    "ledger_attempt": frozenset({"once_append_only", "once_no_truncate"}),
    "ledger_receipt": frozenset({"once_append_only", "once_no_truncate"}),
    "ledger_observation": frozenset({"once_append_only", "once_no_truncate"}),
    "ledger_event": frozenset({"once_append_only", "once_no_truncate"}),
    "ledger_usagereport": frozenset({"once_append_only", "once_no_truncate"}),
    "ledger_inputversion": frozenset({"once_append_only"}),
    "ledger_task": frozenset({"once_append_only"}),
}


@register(Tags.database)
def database(databases: Sequence[str] | None = None, **_kwargs: Any) -> list[CheckMessage]:
    """PostgreSQL is new enough, the triggers stand guard, the queue has its tables."""
    if "default" not in (databases or ()):
        return []
    connection = connections["default"]
    try:
        connection.ensure_connection()
    except OperationalError as error:
        return [
            Error(
                f"The database does not answer: {error}",
                hint="Look at DATABASE_URL; without it the embedded PostgreSQL is used.",
                id="once.E001",
            )
        ]
    looks: list[Callable[[Any], list[CheckMessage]]] = [_version]
    if not _migrations_wait(connection):  # they may be what makes a missing trigger
        looks += [_triggers, _queue]
    return [finding for look in looks for finding in look(connection)]


@register()
def broker(**_kwargs: Any) -> list[CheckMessage]:
    """Messages that stay in one process wake nobody."""
    if settings.CELERY_BROKER_URL.startswith("memory://"):
        return [
            Warning(
                "CELERY_BROKER_URL is memory://, so no worker hears a message.",
                hint="Unset it (the queue is then in PostgreSQL), or name RabbitMQ or Redis.",
                id="once.W001",
            )
        ]
    return []


def _migrations_wait(connection: Any) -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _version(connection: Any) -> list[CheckMessage]:
    if connection.pg_version >= OLDEST_POSTGRESQL:
        return []
    return [
        Error(
            f"PostgreSQL {connection.pg_version // 10_000} is too old.",
            hint="Use PostgreSQL 15 or newer.",
            id="once.E002",
        )
    ]


def _triggers(connection: Any) -> list[CheckMessage]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
            " WHERE NOT t.tgisinternal AND t.tgenabled IN ('O', 'A') AND c.relname = ANY(%s)",
            [list(TRIGGERS)],
        )
        found = set(cursor.fetchall())
    wanted = {(table, name) for table, names in TRIGGERS.items() for name in names}
    missing = sorted(f"{table}.{name}" for table, name in wanted - found)
    if not missing:
        return []
    return [
        Error(
            f"Triggers are missing or disabled: {', '.join(missing)}. History could be changed unseen.",
            hint="Enable them, or restore the database with its triggers (pg_restore without --disable-triggers).",
            id="once.E003",
        )
    ]


def _queue(connection: Any) -> list[CheckMessage]:
    if not settings.CELERY_BROKER_URL.startswith("pgmq://"):
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('pgmq.meta') IS NOT NULL")
        if cursor.fetchone()[0]:
            return []
    return [
        Error(
            "The message queue has no tables.",
            hint="Run manage.py migrate config zero, then manage.py migrate config.",
            id="once.E004",
        ),
    ]

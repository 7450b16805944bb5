"""Empty the test database after a test that committed: only what has rows, and without what a migration made.

Django's flush truncates every table, which writes hundreds of new files, and then makes content types and permissions
anew; with some hundred tables that took longer than most tests.
"""

from __future__ import annotations

from typing import Any

from django.db import connections, transaction
from django.test import TransactionTestCase
from psycopg import sql

KEPT = frozenset({"django_migrations", "django_content_type", "auth_permission"})
_HAS_ROWS = sql.SQL("SELECT {} WHERE EXISTS (SELECT 1 FROM {})")


def empty(alias: str) -> None:
    """Afterwards no table of the house has a row. Triggers rest meanwhile: they refuse, count and check what goes."""
    connection = connections[alias]
    names = sorted(set(connection.introspection.django_table_names(only_existing=True, include_views=False)))
    asked = sql.SQL(" UNION ALL ").join(
        _HAS_ROWS.format(sql.Literal(name), sql.Identifier(name)) for name in names if name not in KEPT
    )
    with transaction.atomic(using=alias), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(asked)
        for (name,) in cursor.fetchall():
            cursor.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(name)))


def _after_each(case: TransactionTestCase) -> None:
    for alias in case._databases_names(include_mirrors=False):  # type: ignore[attr-defined]
        empty(alias)


def install() -> None:
    """Every test that commits is emptied so."""
    kind: Any = TransactionTestCase
    kind._fixture_teardown = _after_each

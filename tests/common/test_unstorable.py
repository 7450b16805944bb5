"""Which fault of the database was in what was given, and which is our own."""

from __future__ import annotations

import pytest
from django.db import DataError, connection
from django.db.backends.utils import CursorWrapper

from once_delivery.common.unstorable import is_unstorable

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("statement", "given"),
    [
        ("SELECT %s::text", "a\x00"),
        ("INSERT INTO kept VALUES (%s)", "four"),
        ("SELECT %s::int", 2**40),
        ("SELECT %s::timestamptz", "2026-01-01T00:00:00+99:00"),
    ],
)
def test_what_was_given_cannot_be_kept(statement: str, given: str | int) -> None:
    assert is_unstorable(_refused(statement, [given]))


@pytest.mark.parametrize(
    "statement", ["SELECT 1 / 0", "SELECT '9999-12-31 23:59:59-14'::timestamptz", "SELECT 'x'::int"]
)
def test_a_fault_of_our_own_stays_one(statement: str) -> None:
    assert not is_unstorable(_refused(statement, []))
    assert not is_unstorable(ValueError("of ours"))


def _refused(statement: str, given: list[str | int]) -> Exception:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE kept (word varchar(3)) ON COMMIT DROP")
        with pytest.raises((DataError, ValueError)) as caught:
            _run(cursor, statement, given)
    return caught.value


def _run(cursor: CursorWrapper, statement: str, given: list[str | int]) -> None:
    cursor.execute(statement, given)
    cursor.fetchall()

"""Rows of one statement as they come, by a cursor that stays at the server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from django.db import connection, transaction

CHUNK = 2000  # rows that are in memory at once
_FOLDER = Path(__file__).with_name("sql")


@cache
def statement(name: str) -> str:
    """The text of ``billing/reports/sql/<name>.sql``."""
    return (_FOLDER / f"{name}.sql").read_text(encoding="utf-8")


def stream(query: str, parameters: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    """The rows of ``query``, a chunk at a time; the server keeps the rest."""
    with transaction.atomic(), connection.chunked_cursor() as cursor:
        cursor.execute(query, parameters)
        while rows := cursor.fetchmany(CHUNK):
            yield from rows


@contextmanager
def one_snapshot() -> Iterator[None]:
    """Every statement inside sees the ledgers as they were at the first one, and none of them can write."""
    nested = connection.in_atomic_block
    with transaction.atomic():
        if not nested:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield

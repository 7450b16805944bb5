"""Rows that come by the thousands go in by COPY: one statement however many they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connection, models
from psycopg.types.json import Jsonb

_NUMBERS = "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)"


def copy_in(rows: Sequence[models.Model]) -> None:
    """Afterwards ``rows``, all of one model, are kept; each has its key. They are checked by PostgreSQL alone."""
    if not rows:
        return
    meta = rows[0]._meta  # noqa: SLF001 - Django's own name for what is public
    key, fields = meta.pk, meta.concrete_fields
    assert key is not None  # noqa: S101 - a row that is kept has one
    names = [field.attname for field in fields]
    as_json = {field.attname for field in fields if isinstance(field, models.JSONField)}
    with connection.cursor() as cursor:
        if isinstance(key, models.AutoField):
            cursor.execute(_NUMBERS, [meta.db_table, key.column, len(rows)])
            for row, (number,) in zip(rows, cursor.fetchall(), strict=True):
                row.pk = number
        columns = ",".join(connection.ops.quote_name(str(field.column)) for field in fields)
        statement = f"COPY {connection.ops.quote_name(meta.db_table)} ({columns}) FROM STDIN"
        with cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row([_value(row, name, as_json) for name in names])


def _value(row: models.Model, name: str, as_json: set[str]) -> Any:
    value = getattr(row, name)
    return Jsonb(value) if name in as_json else value

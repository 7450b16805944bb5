"""A database of one real system's own, on the PostgreSQL of the tests."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from once_delivery.common.embedded_postgres import EmbeddedPostgres
from tests.dropping import drop_database


@contextlib.contextmanager
def own_database(postgres: EmbeddedPostgres, name: str) -> Iterator[None]:
    """Made anew and dropped afterwards, whoever is still connected.

    A ``name`` that begins as those of ``tests/conftest.py`` is dropped by a later session when this one is killed.
    """
    info = make_conninfo(**postgres.connection())
    with psycopg.connect(info, autocommit=True) as connection:
        drop_database(connection, name)
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        yield
    finally:
        with psycopg.connect(info, autocommit=True) as connection:
            drop_database(connection, name)

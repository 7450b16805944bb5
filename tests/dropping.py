"""A database goes, whoever is still connected to it."""

from __future__ import annotations

import time

import psycopg
from psycopg import sql

WAIT_S = 60.0


def drop_database(admin: psycopg.Connection, name: str) -> None:
    """Afterwards there is none of that name. Raises InsufficientPrivilege when a vacuum does not end.

    PostgreSQL ends a vacuum that it began by itself for its superuser alone, and FORCE needs to end everything.
    """
    statement = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
    ends = time.monotonic() + WAIT_S
    while True:
        try:
            admin.execute(statement)
        except psycopg.errors.InsufficientPrivilege:
            if time.monotonic() > ends:
                raise
            time.sleep(0.2)
        else:
            return

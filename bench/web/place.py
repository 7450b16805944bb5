"""Where the pages are measured: an embedded PostgreSQL of its own, never the developer's."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from bench.place import ROOT, BusyError, environment
from once_delivery.common.embedded_postgres import ADMIN, DATABASE, ROLE, EmbeddedPostgres


def folder(actions: int) -> Path:
    """A folder for each size, so that a small run does not throw a large one away."""
    return ROOT / ".once" / f"bench-web-{actions}"


def set_environment(state_dir: Path) -> None:
    """What Django is set up with. The rows can be made again: nothing is flushed."""
    settings = environment() | {
        "ONCE_STATE_DIR": str(state_dir),
        "ONCE_POSTGRES_DURABLE": "off",
        "ONCE_LOG_LEVEL": "ERROR",
    }
    os.environ.clear()
    os.environ.update(settings)


@contextlib.contextmanager
def server(state_dir: Path) -> Iterator[EmbeddedPostgres]:
    """The server runs inside the block. Raises BusyError when another run has it."""
    state_dir.mkdir(parents=True, exist_ok=True)
    with (state_dir / "bench.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BusyError from None
        found = EmbeddedPostgres(state_dir, durable=False)
        with found.in_use():
            yield found


def empty(found: EmbeddedPostgres) -> None:
    """Make the database anew."""
    with admin(found, "postgres") as connection:
        name = sql.Identifier(DATABASE)
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))
        connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(name, sql.Identifier(ROLE)))


def admin(found: EmbeddedPostgres, database: str = DATABASE) -> psycopg.Connection:
    """A connection that may leave out triggers."""
    return psycopg.connect(make_conninfo(**found.connection(database, ADMIN)), autocommit=True)

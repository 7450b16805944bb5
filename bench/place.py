"""Where the benchmark runs: an embedded PostgreSQL of its own, durable, with an empty database for every run."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from once_delivery.common.embedded_postgres import DATABASE, ROLE, EmbeddedPostgres

ROOT = Path(__file__).resolve().parents[1]
STATE_DIR = ROOT / ".once" / "bench"
DBOS_DATABASE = "bench_dbos"
PREFIXES = ("ONCE_", "DATABASE_URL", "CELERY_", "SECRET_KEY", "PG")


class BusyError(Exception):
    """Another benchmark runs in this checkout."""


def environment() -> dict[str, str]:
    """What every process of the benchmark is given: defaults, whatever the shell has set."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIXES)}
    return kept | {
        "DJANGO_SETTINGS_MODULE": "once_delivery.config.settings",
        "ONCE_STATE_DIR": str(STATE_DIR),
        "ONCE_LOG_LEVEL": "WARNING",
        "ONCE_LOG_FORMAT": "plain",
        "ONCE_TARGETS_INSIDE": "1",  # the sandbox is on this machine
        "SECRET_KEY": "bench",
        "PYTHONPATH": str(ROOT),
    }


@contextlib.contextmanager
def server() -> Iterator[EmbeddedPostgres]:
    """The server runs inside the block, with empty databases. Raises BusyError."""
    STATE_DIR.mkdir(parents=True, exist_ok=True)
    with (STATE_DIR / "bench.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BusyError from None
        found = EmbeddedPostgres(STATE_DIR, durable=True)
        with found.in_use():
            empty_databases(found)
            yield found


def empty_databases(found: EmbeddedPostgres) -> None:
    """Drop what an earlier run left, and make the databases anew."""
    with psycopg.connect(
        make_conninfo(**found.connection("postgres", "postgres")), autocommit=True
    ) as connection:
        for name in (DATABASE, DBOS_DATABASE):
            connection.execute(
                sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
            )
            connection.execute(
                sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(name), sql.Identifier(ROLE))
            )
        connection.execute("CHECKPOINT")


def conninfo(found: EmbeddedPostgres) -> str:
    """The ledger's database, as libpq wants it."""
    return make_conninfo(**found.connection())


def dbos_url(found: EmbeddedPostgres) -> str:
    """DBOS's database, as an address."""
    place = found.connection(DBOS_DATABASE)
    return f"postgresql://{place['user']}@/{DBOS_DATABASE}?host={place['host']}&port={place['port']}"


def postmaster(found: EmbeddedPostgres) -> int:
    """The server's first process, from which all others come."""
    return int((found.place.data / "postmaster.pid").read_text(encoding="utf-8").split("\n")[0])

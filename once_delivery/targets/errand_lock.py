"""Which errands are at work: each holds a lock in the database for as long as its process lives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import InterfaceError, OperationalError, connection

_CLASS = 0x65727264  # "errd": nothing else in the house uses it


@contextmanager
def at_work(errand_id: int) -> Iterator[bool]:
    """False when another session holds it. PostgreSQL frees it when a process is killed."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [_CLASS, errand_id])
        held = bool(cursor.fetchone()[0])
    try:
        yield held
    finally:
        if held:
            with suppress(OperationalError, InterfaceError), connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [_CLASS, errand_id])


def is_at_work(errand_id: int) -> bool:
    """Whether some session of this database holds it."""
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT EXISTS (SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
               WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.objsubid = 2
                 AND l.classid = %s AND l.objid = %s)""",
            [_CLASS, errand_id],
        )
        return bool(cursor.fetchone()[0])

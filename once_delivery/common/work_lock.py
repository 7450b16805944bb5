"""Who is at work on what: a lock in the database, held for as long as the process lives that took it."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import InterfaceError, OperationalError, connection


class Work(enum.IntEnum):
    """What can be worked on by one process at a time; the numbers are PostgreSQL's classes of locks."""

    ERRAND = 0x65727264
    PROBE = 0x70726F62
    AUDIT = 7_316_001  # by target
    BULK = 7_316_002
    EXPORT = 7_316_003
    SENT = 7_316_004
    NOTICES = 7_316_005


@contextmanager
def at_work(work: Work, key: int) -> Iterator[bool]:
    """False when somebody else holds it. PostgreSQL frees it when a process is killed."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [work.value, key])
        held = bool(cursor.fetchone()[0])
    try:
        yield held
    finally:
        if held:
            with suppress(OperationalError, InterfaceError), connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [work.value, key])


def is_at_work(work: Work, key: int) -> bool:
    """Whether somebody holds it in this database."""
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT EXISTS (SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
               WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.objsubid = 2
                 AND l.classid = %s AND l.objid = %s)""",
            [work.value, key],
        )
        return bool(cursor.fetchone()[0])

"""Which probes are at work: each holds a lock in the database for as long as its process lives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import InterfaceError, OperationalError, connection

_CLASS = 0x70726F62  # "prob": nothing else in the house uses it


@contextmanager
def at_work(probe_id: int) -> Iterator[bool]:
    """False when another session holds it. PostgreSQL frees it when a process is killed."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [_CLASS, probe_id])
        held = bool(cursor.fetchone()[0])
    try:
        yield held
    finally:
        if held:
            with suppress(OperationalError, InterfaceError), connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [_CLASS, probe_id])

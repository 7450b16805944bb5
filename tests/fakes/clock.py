"""The database's clock, set ahead by a test. Production code and its SQL stay as they are.

Everything that decides anything asks PostgreSQL's ``clock_timestamp()``. A function of that name in a schema that
is searched before ``pg_catalog`` takes its place in the test's database, for every connection to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

_SET_UP = """
CREATE SCHEMA IF NOT EXISTS once_test;
CREATE TABLE IF NOT EXISTS once_test.clock (ahead float8 NOT NULL, stopped_at timestamptz);
CREATE OR REPLACE FUNCTION once_test.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
    SELECT coalesce(stopped_at, pg_catalog.clock_timestamp()) + ahead * interval '1 second' FROM once_test.clock
$$;
DELETE FROM once_test.clock;
INSERT INTO once_test.clock VALUES (0, NULL);
"""
_SEARCHED = "once_test, pg_catalog, public"


@dataclass(frozen=True, slots=True)
class DatabaseClock:
    """Runs on by itself until it is stopped, and jumps when told."""

    def stop(self) -> None:
        """Afterwards only the test moves it, however slow the machine is."""
        with connection.cursor() as cursor:
            cursor.execute("UPDATE once_test.clock SET stopped_at = pg_catalog.clock_timestamp()")

    def forward(self, seconds: float) -> None:
        """Afterwards it is that much later, for everybody."""
        with connection.cursor() as cursor:
            cursor.execute("UPDATE once_test.clock SET ahead = ahead + %s", [seconds])

    def now(self) -> datetime:
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            moment: datetime = cursor.fetchone()[0]
        return moment

    def to(self, moment: datetime) -> None:
        """Afterwards it is ``moment`` or a little later."""
        self.forward(max(0.0, (moment - self.now()).total_seconds()) + 0.001)


@contextmanager
def database_clock() -> Iterator[DatabaseClock]:
    """Inside, the test moves the clock of its database."""
    name = connection.ops.quote_name(connection.settings_dict["NAME"])
    with connection.cursor() as cursor:
        cursor.execute(_SET_UP)
        cursor.execute(f"ALTER DATABASE {name} SET search_path = {_SEARCHED}")
        cursor.execute(f"SET search_path = {_SEARCHED}")
    try:
        yield DatabaseClock()
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER DATABASE {name} RESET search_path")
            cursor.execute("RESET search_path")

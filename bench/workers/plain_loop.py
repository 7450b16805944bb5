"""The two commits of an action by hand: psycopg, prepared statements, no ledger, no rule.

python -m bench.workers.plain_loop CONNECTION THREADS ROWS
"""

from __future__ import annotations

import random
import sys
from uuid import UUID

import psycopg

from bench.two_commits import ACTION_DONE, ACTION_TAKEN, ATTEMPT, EVENT_DONE, EVENT_TAKEN, RECEIPT
from bench.workers.protocol import serve
from bench.workers.threads import for_seconds

Taken = tuple[int, UUID, int]


def main() -> None:
    conninfo, threads, rows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    connections = [psycopg.connect(conninfo, autocommit=True, prepare_threshold=0) for _ in range(threads)]
    serve(
        lambda seconds: for_seconds(
            seconds,
            threads=threads,
            once=lambda thread: perform(connections[thread], random.randint(1, rows)),  # noqa: S311
        )
    )


def perform(connection: psycopg.Connection, action: int) -> None:
    """One action: the intent is committed, nothing is sent, the answer is committed."""
    with connection.transaction():
        revision, token, number = _row(connection, ACTION_TAKEN, {"id": action})
        (attempt,) = _row(connection, ATTEMPT, {"id": action, "tok": token, "num": number})
        connection.execute(EVENT_TAKEN, {"id": action, "rev": revision})
    with connection.transaction():
        (revision,) = _row(connection, ACTION_DONE, {"id": action})
        connection.execute(RECEIPT, {"id": action, "att": attempt})
        connection.execute(EVENT_DONE, {"id": action, "rev": revision})


def _row(connection: psycopg.Connection, sql: str, values: dict[str, object]) -> tuple[object, ...]:
    row = connection.execute(sql.encode(), values).fetchone()
    assert row is not None
    return tuple(row)


if __name__ == "__main__":
    main()

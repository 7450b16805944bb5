"""The least that a durable action needs: its intent committed before the request, its answer after it.

The tables have the ledger's columns and primary keys, and nothing else: no other index, no foreign key, no check,
no trigger. One script for pgbench and one set of statements for Python, from the same text.
"""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
from psycopg import sql

SCHEMA = "bench_raw"
TABLES = ("action", "attempt", "event", "receipt")
ROWS = 20_000  # so many that clients hardly ever meet at one

ACTION_TAKEN = """
UPDATE bench_raw.action SET state = 'sending', revision = revision + 1, reason = 'claimed', sends = sends + 1,
    lease_token = gen_random_uuid(), lease_until = clock_timestamp() + interval '22 s', next_step = 'wait',
    next_step_at = clock_timestamp() + interval '22 s', state_since = clock_timestamp()
WHERE id = %(id)s RETURNING revision AS rev, lease_token AS tok, sends AS num"""

ATTEMPT = """
INSERT INTO bench_raw.attempt (token, project_id, action_id, run_id, number, replay, key_generation, sender,
    intended_at, lease_until)
VALUES (%(tok)s, 1, %(id)s, 1, %(num)s, false, 1, 'bench', clock_timestamp(),
    clock_timestamp() + interval '22 s') RETURNING id AS att"""

EVENT_TAKEN = """
INSERT INTO bench_raw.event (project_id, action_id, run_id, kind, revision, from_state, to_state, reason, actor, data, at)
VALUES (1, %(id)s, 1, 'state', %(rev)s, 'planned', 'sending', 'claimed', 'bench', '{}', clock_timestamp())"""

ACTION_DONE = """
UPDATE bench_raw.action SET state = 'confirmed', revision = revision + 1, reason = 'answered', lease_token = NULL,
    lease_until = NULL, next_step = 'none', next_step_at = NULL, result_id = 'bench-' || marker,
    confirmed_at = clock_timestamp(), checked_at = clock_timestamp(), presence = 'present',
    state_since = clock_timestamp()
WHERE id = %(id)s RETURNING revision AS rev"""

RECEIPT = """
INSERT INTO bench_raw.receipt (project_id, attempt_id, action_id, outcome, code, result_id, result_url, marker, detail,
    excerpt, usage, late, received_at)
VALUES (1, %(att)s, %(id)s, 'done', 'bench', 'bench-once-aaaaaaaaaaaaaaaaaaaaaaaaaa', '',
    'once-aaaaaaaaaaaaaaaaaaaaaaaaaa', '', '', '{}', false, clock_timestamp())"""

EVENT_DONE = """
INSERT INTO bench_raw.event (project_id, action_id, run_id, kind, revision, from_state, to_state, reason, actor, data, at)
VALUES (1, %(id)s, 1, 'state', %(rev)s, 'sending', 'confirmed', 'answered', 'bench', '{}', clock_timestamp())"""


def make_tables(conninfo: str, *, model_action: int) -> None:
    """Empty tables beside the ledger's, and ``ROWS`` actions that are copies of one of the ledger's."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(SCHEMA)))
        for table in TABLES:
            new = sql.Identifier(SCHEMA, table)
            like = sql.Identifier(f"ledger_{table}")
            connection.execute(
                sql.SQL("CREATE TABLE {} (LIKE {} INCLUDING DEFAULTS INCLUDING IDENTITY)").format(new, like)
            )
            connection.execute(sql.SQL("ALTER TABLE {} ADD PRIMARY KEY (id)").format(new))
        action = sql.Identifier(SCHEMA, "action")
        connection.execute(
            sql.SQL("INSERT INTO {} SELECT * FROM ledger_action WHERE id = %s").format(action), [model_action]
        )
        connection.execute(sql.SQL("UPDATE {} SET id = 0").format(action))
        columns = _columns(connection)
        connection.execute(
            sql.SQL("INSERT INTO {} (id, {}) SELECT n, {} FROM {}, generate_series(1, %s) n").format(
                action, columns, columns, action
            ),
            [ROWS],
        )
        connection.execute(sql.SQL("VACUUM ANALYZE {}").format(action))


def _columns(connection: psycopg.Connection) -> sql.Composable:
    rows = connection.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = %s AND table_name = 'action'",
        [SCHEMA],
    ).fetchall()
    return sql.SQL(", ").join(sql.Identifier(name) for (name,) in rows if name != "id")


def write_pgbench_script(path: Path) -> None:
    """The same two commits in pgbench's language."""
    first = [ACTION_TAKEN + r" \gset", ATTEMPT + r" \gset", EVENT_TAKEN + ";"]
    second = [ACTION_DONE + r" \gset", RECEIPT + ";", EVENT_DONE + ";"]
    lines = [rf"\set id random(1, {ROWS})"]
    for transaction in (first, second):
        lines += ["BEGIN;", *[_one_line(one) for one in transaction], "COMMIT;"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _one_line(statement: str) -> str:
    return re.sub(r"%\((\w+)\)s", r":\1", " ".join(statement.split()))

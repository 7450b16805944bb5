"""Heartbeats of periodic jobs, and how late due work is."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

SWEEP = "sweep"


@dataclass(frozen=True, slots=True)
class Pulse:
    """In seconds. ``sweep_ago`` None: no sweep has run yet. ``oldest_due``: how long the oldest due row has waited."""

    sweep_ago: float | None
    oldest_due: float


_NOTE = """
INSERT INTO ledger_heartbeat (name, at) VALUES (%s, clock_timestamp())
ON CONFLICT (name) DO UPDATE SET at = excluded.at
"""
_PULSE = """
SELECT (SELECT extract(epoch FROM clock_timestamp() - at) FROM ledger_heartbeat WHERE name = %s),
       coalesce(extract(epoch FROM clock_timestamp() - least(
           (SELECT min(next_step_at) FROM ledger_action WHERE next_step IN ('perform', 'replay')
              AND next_step_at <= clock_timestamp()),
           (SELECT min(next_step_at) FROM ledger_action WHERE next_step = 'look_up'
              AND next_step_at <= clock_timestamp()),
           (SELECT min(lease_until) FROM ledger_action WHERE state = 'sending'
              AND lease_until <= clock_timestamp()))), 0)
"""


def note_sweep() -> None:
    """A sweep has run."""
    with connection.cursor() as cursor:
        cursor.execute(_NOTE, [SWEEP])


def pulse() -> Pulse:
    """How long ago the last sweep was, and how late the oldest due row is."""
    with connection.cursor() as cursor:
        cursor.execute(_PULSE, [SWEEP])
        ago, due = cursor.fetchone()
    return Pulse(float(ago) if ago is not None else None, float(due))

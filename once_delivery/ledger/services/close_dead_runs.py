"""A run whose process died says so in the end; what it left is found by the sweep all the same."""

from __future__ import annotations

from django.db import connection

SILENT_S = 600.0

_CLOSE = """
UPDATE ledger_run r SET status = 'failed', finished_at = clock_timestamp(),
       summary = r.summary || '{"ended": "without a word"}'::jsonb
WHERE r.status = 'running' AND r.started_at < clock_timestamp() - %(silent)s * interval '1 second'
  AND NOT EXISTS (SELECT 1 FROM ledger_attempt t
                  WHERE t.run_id = r.id AND t.lease_until > clock_timestamp() - %(silent)s * interval '1 second')
  AND NOT EXISTS (SELECT 1 FROM ledger_observation o
                  WHERE o.run_id = r.id AND o.recorded_at > clock_timestamp() - %(silent)s * interval '1 second')
"""


def close_dead_runs(*, silent_s: float = SILENT_S) -> int:
    """Afterwards no run is "running" that has left no trace for ``silent_s`` seconds; returns how many.

    One that lives after all, and only waited, says its own end later and overwrites this.
    """
    with connection.cursor() as cursor:
        cursor.execute(_CLOSE, {"silent": silent_s})
        return int(cursor.rowcount)

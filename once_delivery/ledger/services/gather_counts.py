"""Add up what was counted, so that there is little to read however much was written."""

from __future__ import annotations

from django.db import connection, transaction

KEPT_DAYS = 8  # hours of the last week are shown
AT_ONCE = 10_000

# Rows that another process has just taken are left to it. In the order of their key, so that two do not wait crosswise.
_GATHER = """
WITH taken AS (
    DELETE FROM ledger_counted WHERE id IN (
        SELECT id FROM ledger_counted WHERE NOT gathered ORDER BY id LIMIT %s FOR UPDATE SKIP LOCKED
    ) RETURNING name, label, target_id, hour, many, seconds, latest
), summed AS (
    SELECT name, label, NULL::bigint AS target_id, NULL::timestamptz AS hour, sum(many) AS many, sum(seconds) AS seconds,
           NULL::timestamptz AS latest
    FROM taken GROUP BY name, label
    UNION ALL
    SELECT name, label, target_id, hour, sum(many), sum(seconds), max(latest)
    FROM taken WHERE hour IS NOT NULL GROUP BY name, label, target_id, hour
)
INSERT INTO ledger_counted AS one (name, label, target_id, hour, many, seconds, latest, gathered)
SELECT name, label, target_id, hour, many, seconds, latest, true FROM summed ORDER BY target_id, hour, name, label
ON CONFLICT (target_id, hour, name, label) WHERE gathered DO UPDATE
SET many = one.many + excluded.many, seconds = one.seconds + excluded.seconds, latest = greatest(one.latest, excluded.latest)
"""
_FORGET = "DELETE FROM ledger_counted WHERE gathered AND hour < clock_timestamp() - %s * interval '1 day'"


def gather_counts() -> None:
    """Afterwards what was counted until now stands in one row a figure; hours of long ago are forgotten."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_GATHER, [AT_ONCE])
        cursor.execute(_FORGET, [KEPT_DAYS])

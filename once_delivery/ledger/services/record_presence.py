"""Write down how confirmed objects stand at the target, as a list of everything showed it (R7: shown, not repaired)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connection

from once_delivery.targets.base import Presence

_PRESENCE = """
UPDATE ledger_action a SET presence = seen.presence, checked_at = clock_timestamp()
FROM unnest(%s::bigint[], %s::text[]) AS seen(id, presence)
WHERE a.id = seen.id AND a.state = 'confirmed'
  AND NOT (a.presence = 'duplicate' AND seen.presence = 'present')
"""
_COUNT = """
UPDATE ledger_action SET check_due_at = least(check_due_at, clock_timestamp())
WHERE id = ANY(%s) AND state = 'confirmed'
"""
_LOOK = """
UPDATE ledger_action SET next_step = 'look_up', next_step_at = clock_timestamp()
WHERE target_id = %s AND marker = ANY(%s) AND state IN ('uncertain', 'reconcile')
"""


def record_presence(seen: Sequence[tuple[int, Presence]]) -> None:
    """Afterwards each of these confirmed actions has the presence that was seen.

    "Duplicate" stays until a person has dealt with it: that one of the two is listed again proves nothing.
    """
    ordered = sorted(seen)  # locks are taken in the order of the IDs, everywhere
    if ordered:
        _execute(_PRESENCE, [[one[0] for one in ordered], [str(one[1]) for one in ordered]])


def count_now(action_ids: Sequence[int]) -> None:
    """Afterwards the target is about to be asked, by their markers, how many there are of each."""
    if action_ids:
        _execute(_COUNT, [sorted(action_ids)])


def look_now(*, target_id: int, markers: Sequence[str]) -> None:
    """Afterwards open questions about objects with these markers, which were seen, need not wait for their turn."""
    if markers:
        _execute(_LOOK, [target_id, list(markers)])


def _execute(sql: str, parameters: list[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)

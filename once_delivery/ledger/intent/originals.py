"""Which draft a newer input version takes on, where the target's rule is ``update_existing`` (DESIGN section 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import connection

from once_delivery.ledger.models import Action, Task

_FIND = """
UPDATE ledger_action mine SET original_id = found.older
FROM (
    SELECT DISTINCT ON (newer.id) newer.id AS newer, older.id AS older
    FROM ledger_action newer
    JOIN targets_target target ON target.id = newer.target_id
                              AND target.profile_data ->> 'on_new_version' = 'update_existing'
    JOIN ledger_task task ON task.id = newer.task_id
    JOIN ledger_inputversion version ON version.id = task.input_version_id
    JOIN ledger_task before ON before.product_id = task.product_id AND before.locale = task.locale
                           AND before.purpose = task.purpose
    JOIN ledger_inputversion earlier ON earlier.id = before.input_version_id AND earlier.number < version.number
    JOIN ledger_action older ON older.task_id = before.id AND older.target_id = newer.target_id
                            AND older.kind = newer.kind AND older.slot = newer.slot
                            AND older.state NOT IN ('superseded', 'cancelled')
    WHERE newer.task_id = ANY(%s) AND newer.kind = 'create_draft' AND newer.state = 'planned' AND newer.sends = 0
      AND NOT newer.by_permit -- who performs it creates its own: the house does not read versions for others
    ORDER BY newer.id, earlier.number DESC
) found
WHERE mine.id = found.newer
"""

# what an action took on goes to the one that takes its place
_TAKE_OVER = """
UPDATE ledger_action AS newer SET original_id = gone.original_id, base_version = '', object_marker = ''
FROM ledger_action gone
WHERE newer.original_id = gone.id AND gone.state IN ('superseded', 'cancelled')
  AND newer.state IN ('planned', 'refused') AND newer.original_id = ANY(%s)
RETURNING gone.original_id
"""

_EARLIER = """
WITH RECURSIVE earlier AS (
    SELECT original_id AS id FROM ledger_action WHERE id = %s AND original_id IS NOT NULL
    UNION
    SELECT a.original_id FROM ledger_action a JOIN earlier ON a.id = earlier.id WHERE a.original_id IS NOT NULL
)
SELECT id FROM earlier
"""


def take_on(*, tasks: Sequence[Task]) -> int:
    """Each new draft names the newest older one of its place that is not closed; returns how many do.

    To be called after the older ones that made nothing were superseded.
    """
    if not tasks:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(_FIND, [[task.pk for task in tasks]])
        return int(cursor.rowcount)


def pass_on(closed: Iterable[int]) -> None:
    """Those that waited to take on one of ``closed`` (superseded or cancelled) take on what that one would have."""
    ids = list(closed)
    while ids:
        with connection.cursor() as cursor:
            cursor.execute(_TAKE_OVER, [ids])
            ids = [row[0] for row in cursor.fetchall() if row[0] is not None]


def earlier_versions_of(action: Action) -> list[int]:
    """The IDs of the actions whose draft this one takes on, one after the other."""
    with connection.cursor() as cursor:
        cursor.execute(_EARLIER, [action.pk])
        return [row[0] for row in cursor.fetchall()]

"""The content of tasks is emptied: a tombstone stays (DESIGN section 10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from django.db import connection, transaction

from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Action, Forgotten, Task

# a worker holds one of them just now, or another run does: its task waits for the next night
_FREE = """
WITH held AS (
    SELECT id, task_id FROM ledger_action WHERE task_id = ANY(%s) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
)
SELECT a.task_id FROM ledger_action a LEFT JOIN held ON held.id = a.id
WHERE a.task_id = ANY(%s) GROUP BY a.task_id HAVING count(held.id) = count(*)
"""
# each names what it leaves alone already, so that a second run writes nothing
_EMPTY = {
    "payloads": "UPDATE ledger_action SET payload = '{}' WHERE id = ANY(%(actions)s) AND payload <> '{}'",
    "receipts": """UPDATE ledger_receipt SET excerpt = '', detail = '',
                       usage = CASE WHEN id = ANY(%(in_the_books)s) THEN '{}' ELSE usage END
                   WHERE action_id = ANY(%(actions)s)
                     AND (excerpt <> '' OR detail <> '' OR usage <> '{}' AND id = ANY(%(in_the_books)s))""",
    "looks": """UPDATE ledger_observation SET candidates = '[]', detail = '', objects_seen = once_without_words(objects_seen)
                WHERE action_id = ANY(%(actions)s)
                  AND (candidates <> '[]' OR detail <> '' OR objects_seen <> once_without_words(objects_seen))""",
    # what a note names are result IDs, and these stay
    "events": """UPDATE ledger_event SET data = '{}'
                 WHERE action_id = ANY(%(actions)s) AND kind = 'state' AND data <> '{}'""",
    "titles": "DELETE FROM ledger_title WHERE action_id = ANY(%(actions)s)",
}


def hold_free(task_ids: Sequence[int]) -> list[int]:
    """Within a transaction: of these tasks, those whose actions nobody holds; they are held to its end."""
    with connection.cursor() as cursor:
        cursor.execute(_FREE, [list(task_ids), list(task_ids)])
        return [row[0] for row in cursor.fetchall()]


def forget_content(
    *, task_ids: Sequence[int], after_days: int, in_the_books: Collection[int] = ()
) -> Counter[str]:
    """Afterwards nothing that was sent, answered or seen for these tasks can be read; returns how many rows changed.

    They are final, and held by ``hold_free``: PostgreSQL refuses to empty what may still be sent. Identity, fingerprint,
    marker, result, times and events stay. ``in_the_books``: receipts whose usage accounting has taken over; the usage
    of others stays until it has.
    """
    changed: Counter[str] = Counter()
    actions = list(Action.objects.filter(task__in=task_ids).values_list("pk", flat=True))
    with transaction.atomic(), connection.cursor() as cursor:
        for what, statement in _EMPTY.items():
            cursor.execute(statement, {"actions": actions, "in_the_books": list(in_the_books)})
            changed[what] += cursor.rowcount
        now = database_now()
        Forgotten.objects.bulk_create(
            [
                Forgotten(task_id=pk, project_id=project, after_days=after_days, at=now)
                for pk, project in Task.objects.filter(pk__in=task_ids).values_list("pk", "project")
            ],
            update_conflicts=True,
            unique_fields=["task"],
            update_fields=["after_days", "at"],
        )
    changed["tasks"] += len(task_ids)
    return changed

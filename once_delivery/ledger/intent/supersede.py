"""A newer input version takes the place of what was never performed, and waits for what is unresolved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import connection

from once_delivery.ledger.intent.originals import pass_on
from once_delivery.ledger.models import Action, ActionNeed, Condition, Task
from once_delivery.ledger.states import State
from once_delivery.ledger.transitions import Actor, Move, move

_NEVER_PERFORMED = (State.PLANNED, State.REFUSED)
_UNRESOLVED = (State.SENDING, State.ACCEPTED, State.UNCERTAIN, State.RECONCILE)

_OLDER = """
SELECT a.id, a.state, a.revision, a.target_id, a.kind, a.slot, newer.id, version.number
FROM ledger_task newer
JOIN ledger_inputversion version ON version.id = newer.input_version_id
JOIN ledger_task older ON older.product_id = newer.product_id AND older.locale = newer.locale
                      AND older.purpose = newer.purpose AND older.id <> newer.id
JOIN ledger_inputversion before ON before.id = older.input_version_id AND before.number < version.number
JOIN ledger_action a ON a.task_id = older.id
WHERE (newer.id = ANY(%(new)s) OR older.id = ANY(%(new)s)) AND a.state = ANY(%(states)s)
  AND EXISTS (SELECT 1 FROM ledger_action mine WHERE mine.task_id = newer.id AND mine.target_id = a.target_id)
ORDER BY a.id, version.number
FOR UPDATE OF a
"""


# a newer task's action waits for these, and they turned out to have made nothing
_OVERTAKEN = """
SELECT a.id, a.state, a.revision, min(version.number)
FROM ledger_action a
JOIN ledger_actionneed need ON need.needs_id = a.id AND need.condition = 'settled'
JOIN ledger_action newer ON newer.id = need.action_id
JOIN ledger_task task ON task.id = newer.task_id
JOIN ledger_inputversion version ON version.id = task.input_version_id
WHERE a.id = ANY(%s) AND a.state = ANY(%s)
GROUP BY a.id ORDER BY a.id
"""


@dataclass(frozen=True, slots=True)
class _Older:
    """An action of an older version, and the new task that takes its place."""

    action_id: int
    state: State
    revision: int
    target_id: int
    kind: str
    slot: str
    newer_task_id: int
    by_version: int


def supersede_older(*, tasks: Sequence[Task], actor: Actor) -> int:
    """The older versions' actions that made nothing become superseded; returns how many.

    So do a new task's own actions when it is of an older version than one that was asked for before. A new task's
    action waits until an older one that may have arrived is resolved (DESIGN section 4). Other targets than those
    of the newer version are left alone.
    """
    older = _older([task.pk for task in tasks])
    first = {one.action_id: one for one in reversed(older) if one.state in _NEVER_PERFORMED}
    moved = move(
        [
            _superseding(one.action_id, one.state, revision=one.revision, by_version=one.by_version)
            for one in first.values()
        ],
        actor=actor,
    )
    pass_on(moved)
    _wait_for([one for one in older if one.state in _UNRESOLVED])
    return len(moved)


def supersede_overtaken(*, action_ids: Iterable[int], actor: Actor, run_id: int | None = None) -> int:
    """Those that made nothing, and that a newer version waited for, become superseded; returns how many.

    To be called when actions come back to planned or refused: performing them would make what nobody wants.
    """
    ids = list(action_ids)
    if not ids:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(_OVERTAKEN, [ids, [str(state) for state in _NEVER_PERFORMED]])
        rows = cursor.fetchall()
    moved = move(
        [_superseding(row[0], State(row[1]), revision=row[2], by_version=row[3]) for row in rows],
        actor=actor,
        run_id=run_id,
    )
    pass_on(moved)
    return len(moved)


def _superseding(action_id: int, state: State, *, revision: int, by_version: int) -> Move:
    return Move(
        action_id=action_id,
        source=state,
        to=State.SUPERSEDED,
        reason="result-superseded",
        revision=revision,
        data={"by_version": by_version},
    )


def _older(task_ids: list[int]) -> list[_Older]:
    if not task_ids:
        return []
    with connection.cursor() as cursor:
        states = [str(state) for state in (*_NEVER_PERFORMED, *_UNRESOLVED)]
        cursor.execute(_OLDER, {"new": task_ids, "states": states})
        return [_Older(row[0], State(row[1]), *row[2:]) for row in cursor.fetchall()]


def _wait_for(older: Sequence[_Older]) -> None:
    if not older:
        return
    own = {
        (task_id, target_id, kind, slot): action_id
        for task_id, target_id, kind, slot, action_id in Action.objects.filter(
            task_id__in={one.newer_task_id for one in older}
        ).values_list("task_id", "target_id", "kind", "slot", "pk")
    }
    ActionNeed.objects.bulk_create(
        [
            ActionNeed(action_id=own[place], needs_id=one.action_id, condition=Condition.SETTLED)
            for one in older
            if (place := (one.newer_task_id, one.target_id, one.kind, one.slot)) in own
        ],
        ignore_conflicts=True,
    )

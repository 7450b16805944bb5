"""After a restore of the database: what may have been sent without the ledger knowing becomes uncertain, so that the
target is asked first (R3, R4)."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import connection, transaction

from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.restoring import HELD, RESTORED, ever_restored
from once_delivery.ledger.services.advance import advance
from once_delivery.ledger.services.late_truth import use_what_came_meanwhile
from once_delivery.ledger.states import NextStep, State
from once_delivery.ledger.transitions import Actor, Move, lock, move, note

logger = logging.getLogger(__name__)
AT_ONCE = 500

# what came after the last restoration is told by its time alone: a million of them are not asked about one by one
_DUE = """
SELECT a.id FROM ledger_action a
WHERE a.target_id = %(target)s AND a.next_step IN ('perform', 'replay') AND a.next_step_at <= clock_timestamp()
  AND a.created_at <= (SELECT max(coalesce(r.ended_at, 'infinity')) FROM ledger_restoration r)
  AND once_awaits_look(a.id, a.created_at)
ORDER BY a.next_step_at, a.id LIMIT %(limit)s
"""
_OPEN = """
SELECT a.id FROM ledger_action a
WHERE a.id > %(after)s AND a.state IN ('planned', 'refused', 'sending', 'uncertain') ORDER BY a.id LIMIT %(limit)s
"""
_UNLOOKED = """
SELECT a.id, a.project_id, a.target_id, a.state, a.next_step, a.revision FROM ledger_action a
WHERE a.id = ANY(%s) AND once_awaits_look(a.id, a.created_at) ORDER BY a.id
"""


@dataclass(frozen=True, slots=True)
class _Unlooked:
    """An action that may have been sent, as it stands under its lock."""

    pk: int
    project_id: int
    target_id: int
    state: str
    next_step: str
    revision: int


def doubt_due(*, target_id: int, actor: Actor, run_id: int | None = None) -> int:
    """Afterwards nothing that is due at the target (of the first hundreds) waits to be looked for; returns how many did."""
    if not ever_restored():
        return 0
    with connection.cursor() as cursor:
        cursor.execute(_DUE, {"target": target_id, "limit": AT_ONCE})
        due = [row[0] for row in cursor.fetchall()]
    return len(doubt_unlooked(due, actor=actor, run_id=run_id))


def doubt_all(*, actor: Actor) -> int:
    """Afterwards no action that was planned, refused, being sent or uncertain is believed without a look; returns how many."""
    doubted = after = 0
    while True:
        with connection.cursor() as cursor:
            cursor.execute(_OPEN, {"after": after, "limit": AT_ONCE})
            found = [row[0] for row in cursor.fetchall()]
        if not found:
            return doubted
        doubted += len(doubt_unlooked(found, actor=actor))
        after = found[-1]


def doubt_unlooked(action_ids: Iterable[int], *, actor: Actor, run_id: int | None = None) -> set[int]:
    """Afterwards these are uncertain under their own reason, each with what comes next; returns those that were doubted.

    A lease that is held is lost: what its holder says later is late truth (R8). A permit that was given out is void.
    """
    with transaction.atomic():
        ids = list(action_ids)
        lock(ids)
        unlooked = _unlooked(ids)
        doubted = _moved(unlooked, actor, run_id) | _noted(unlooked, actor, run_id)
        of_target: dict[int, list[int]] = defaultdict(list)
        for one in unlooked:
            if one.pk in doubted:
                of_target[one.target_id].append(one.pk)
        for found in of_target.values():
            _advance(found, actor, run_id)
    return doubted


def _moved(unlooked: Sequence[_Unlooked], actor: Actor, run_id: int | None) -> set[int]:
    now = database_now()
    moves = [
        Move(
            action_id=one.pk,
            source=State(one.state),
            to=State.UNCERTAIN,
            reason=HELD if one.next_step == NextStep.PERSON else RESTORED,
            revision=one.revision,
            next_step=NextStep.LOOK_UP,
            next_step_at=now,
        )
        for one in unlooked
        if one.state in {State.PLANNED, State.REFUSED, State.SENDING}
    ]
    moved = move(moves, actor=actor, run_id=run_id)
    lost = [one.action_id for one in moves if one.source == State.SENDING and one.action_id in moved]
    use_what_came_meanwhile(lost, actor=actor, run_id=run_id)
    return moved


def _noted(unlooked: Sequence[_Unlooked], actor: Actor, run_id: int | None) -> set[int]:
    """What is uncertain already stays so; from now on by what is seen from now on."""
    unsure = [one for one in unlooked if one.state == State.UNCERTAIN]
    for one in unsure:
        note(
            action_id=one.pk,
            project_id=one.project_id,
            kind="restored",
            reason=RESTORED,
            actor=actor,
            run_id=run_id,
        )
    return {one.pk for one in unsure}


def _unlooked(ids: list[int]) -> list[_Unlooked]:
    with connection.cursor() as cursor:
        cursor.execute(_UNLOOKED, [ids])
        return [_Unlooked(*row) for row in cursor.fetchall()]


def _advance(action_ids: list[int], actor: Actor, run_id: int | None) -> None:
    try:
        with transaction.atomic():
            advance(action_ids, actor=actor, run_id=run_id)
    except (
        DomainError
    ) as error:  # one target's bad settings must not stop the others; a look-up is due already
        logger.warning("target not usable: %s", error.code, extra={"actions": action_ids[:10]})

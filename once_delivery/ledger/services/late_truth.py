"""An answer that came after its lease was lost is never dropped and never overwrites (R8)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import connection

from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.evidence import load
from once_delivery.ledger.facts import count_due_at
from once_delivery.ledger.intent.supersede import supersede_overtaken
from once_delivery.ledger.models import Action
from once_delivery.ledger.services.advance import advance
from once_delivery.ledger.services.note_duplicate import note_duplicate
from once_delivery.ledger.states import NextStep, State
from once_delivery.ledger.transitions import Actor, Move, move, note
from once_delivery.targets.base import Answer, Outcome, Presence

_TAKES_IT = (State.UNCERTAIN, State.RECONCILE, State.PLANNED, State.REFUSED)
_MADE_NOTHING = frozenset({Outcome.NOT_SENT, Outcome.NOT_DONE, Outcome.REFUSED})
_SOMETHING_IS_THERE = frozenset({"found-many", "looks-alike"})  # a person has seen more than a lost answer


def keep_late_truth(*, action_id: int, answer: Answer, actor: Actor, run_id: int | None = None) -> bool:
    """Use a late answer: it confirms an open action, or is noted as a duplicate; True when it confirmed.

    The caller has written the receipt. An answer that names no result can only tell that nothing was made.
    """
    action = Action.objects.select_for_update().get(pk=action_id)
    if answer.outcome in _MADE_NOTHING:
        _nothing_was_made(action, actor, run_id)
        return False
    if answer.outcome not in {Outcome.DONE, Outcome.ACCEPTED}:
        return False
    if action.state in _TAKES_IT:
        return bool(
            move(
                [_confirming(action, answer.outcome, answer.result_id, answer.url)],
                actor=actor,
                run_id=run_id,
            )
        )
    if action.state in {State.CONFIRMED, State.ACCEPTED}:
        if action.result_id != answer.result_id:
            note_duplicate(
                action_id=action_id,
                result_ids=[action.result_id, answer.result_id],
                reason="late-duplicate",
                actor=actor,
                run_id=run_id,
            )
        return False
    # sending: it is used when the attempt under way ends. Closed: the object is an orphan of ours.
    note(
        action_id=action_id,
        project_id=action.project_id,
        kind="late.answer" if action.state == State.SENDING else "orphan.seen",
        reason="late-answer" if action.state == State.SENDING else "late-after-end",
        actor=actor,
        run_id=run_id,
        data={"result_id": answer.result_id},
    )
    return False


def _nothing_was_made(action: Action, actor: Actor, run_id: int | None) -> None:
    """The question is answered when no attempt is left that may have arrived."""
    if action.state == State.UNCERTAIN:
        advance([action.pk], actor=actor, run_id=run_id)
    if action.state != State.RECONCILE or action.reason in _SOMETHING_IS_THERE:
        return
    outcomes = {sent.outcome for sent in load([action.pk])[action.pk].evidence.attempts}
    if outcomes <= {Outcome.NOT_SENT, Outcome.NOT_DONE}:
        back = Move(
            action_id=action.pk,
            source=State.RECONCILE,
            to=State.PLANNED,
            reason="not-processed" if Outcome.NOT_DONE in outcomes else "never-left",
            revision=action.revision,
            next_step=NextStep.PERFORM,
            next_step_at=database_now(),
            new_key=True,
        )
        move([back], actor=actor, run_id=run_id)
        supersede_overtaken(action_ids=[action.pk], actor=actor, run_id=run_id)


_CAME_MEANWHILE = """
SELECT a.id, r.outcome, r.result_id, r.result_url
FROM ledger_action a
JOIN ledger_attempt t ON t.action_id = a.id AND t.number = a.sends
JOIN ledger_receipt r ON r.action_id = a.id AND r.received_at >= t.intended_at
WHERE a.id = ANY(%s) AND r.late AND r.outcome IN ('done', 'accepted')
ORDER BY a.id, r.outcome = 'done' DESC, r.id
"""


def use_what_came_meanwhile(action_ids: Sequence[int], *, actor: Actor, run_id: int | None = None) -> None:
    """Late answers that came while these were being sent are used, now that nobody holds the lease any more.

    Where the attempt that ended brought no result, the late one is taken; where it did, another ID is a duplicate.
    """
    with connection.cursor() as cursor:
        cursor.execute(_CAME_MEANWHILE, [list(action_ids)])
        rows = cursor.fetchall()
    for action_id in dict.fromkeys(row[0] for row in rows):
        results = [row[1:] for row in rows if row[0] == action_id]
        action = Action.objects.select_for_update().get(pk=action_id)
        kept = action.result_id
        if action.state in _TAKES_IT:
            outcome, kept, url = results[0]
            move([_confirming(action, Outcome(outcome), kept, url)], actor=actor, run_id=run_id)
        others = {result_id for _, result_id, _ in results} - {kept}
        if others:
            note_duplicate(
                action_id=action_id,
                result_ids=[kept, *others],
                reason="late-duplicate",
                actor=actor,
                run_id=run_id,
            )


def _confirming(action: Action, outcome: Outcome, result_id: str, url: str) -> Move:
    done = outcome == Outcome.DONE
    now = database_now()
    return Move(
        action_id=action.pk,
        source=State(action.state),
        to=State.CONFIRMED if done else State.ACCEPTED,
        reason="late-answer",
        revision=action.revision,
        next_step=NextStep.NONE if done else NextStep.LOOK_UP,
        next_step_at=None if done else now,
        result_id=result_id,
        result_url=url,
        # two that were seen are still two, whichever of them the answer names
        presence=Presence.DUPLICATE if action.presence == Presence.DUPLICATE else Presence.UNCHECKED,
        check_due_at=_count_due_at(action, now) if done else None,
    )


def _count_due_at(action: Action, now: datetime) -> datetime | None:
    try:
        profile = action.target.profile
    except DomainError:  # the truth is kept, whatever the target's settings say
        return None
    return count_due_at(profile, now, sends=action.sends)

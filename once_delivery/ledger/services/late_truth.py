"""An answer that came after its lease was lost is never dropped and never overwrites (R8)."""

from __future__ import annotations

from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Action
from once_delivery.ledger.services.note_duplicate import note_duplicate
from once_delivery.ledger.states import NextStep, State
from once_delivery.ledger.transitions import Actor, Move, move, note
from once_delivery.targets.base import Answer, Outcome

_TAKES_IT = (State.UNCERTAIN, State.RECONCILE, State.PLANNED, State.REFUSED)


def keep_late_truth(*, action_id: int, answer: Answer, actor: Actor, run_id: int | None = None) -> bool:
    """Use a late answer: it confirms an open action, or is noted as a duplicate; True when it confirmed.

    The caller has written the receipt. Only an answer that names a result changes anything.
    """
    if answer.outcome not in {Outcome.DONE, Outcome.ACCEPTED}:
        return False
    action = Action.objects.select_for_update().get(pk=action_id)
    if action.state in _TAKES_IT:
        return bool(move([_confirming(action, answer)], actor=actor, run_id=run_id))
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
    # sending: the attempt under way is compared when it ends. Closed: the object is an orphan of ours.
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


def _confirming(action: Action, answer: Answer) -> Move:
    done = answer.outcome == Outcome.DONE
    return Move(
        action_id=action.pk,
        source=State(action.state),
        to=State.CONFIRMED if done else State.ACCEPTED,
        reason="late-answer",
        revision=action.revision,
        next_step=NextStep.NONE if done else NextStep.LOOK_UP,
        next_step_at=None if done else database_now(),
        result_id=answer.result_id,
        result_url=answer.url,
    )

"""A service has called about a job of ours: the call names the job, and the job is then read from the service.

The caller has checked that the address was ours. What a call says beside the ID is not believed: an address may leak,
and a result that somebody hands in is none.
"""

from __future__ import annotations

from django.db import transaction

from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Action, Receipt
from once_delivery.ledger.receipts import CALLED
from once_delivery.ledger.services.late_truth import keep_late_truth
from once_delivery.ledger.states import NextStep, State
from once_delivery.ledger.transitions import Actor, lock, reschedule
from once_delivery.ledger.trust import is_result_id
from once_delivery.ledger.unmarked import failed_jobs, is_held_by_another
from once_delivery.targets.base import Answer, Outcome


def take_call(*, action: Action, result_id: str, actor: Actor) -> bool:
    """Afterwards the action knows its job and asks about it now; True when the call told something new.

    Called again with the same job it changes nothing. A call for what was never sent, for a job that failed before or
    for one that another action has is not taken.
    """
    if not is_result_id(result_id):
        return False
    with transaction.atomic():
        lock([action.pk])
        action = Action.objects.get(pk=action.pk)
        if action.state == State.ACCEPTED and action.result_id == result_id:
            # it has news: it is asked before its turn
            reschedule(
                action_id=action.pk, revision=action.revision, next_step=NextStep.LOOK_UP, at=database_now()
            )
            return False
        attempt = action.attempts.order_by("-number").first()
        known = action.result_id == result_id or action.receipts.filter(result_id=result_id).exists()
        if attempt is None or known or result_id in failed_jobs(action.pk):
            return False
        if is_held_by_another(action.pk, result_id):
            return False
        answer = Answer(Outcome.ACCEPTED, CALLED, result_id=result_id, marker=action.marker)
        Receipt.objects.create(
            project_id=action.project_id,
            attempt=attempt,
            action=action,
            outcome=answer.outcome,
            code=answer.code,
            result_id=result_id,
            marker=action.marker,
            late=True,
            received_at=database_now(),
        )
        keep_late_truth(action_id=action.pk, answer=answer, actor=actor)
    return True

"""A batch: what a resume would do now, and the resume itself."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from ninja import Router

from once_delivery.api.door import ApiRequest, only_known
from once_delivery.api.fetch import batch_of
from once_delivery.api.roles import PERFORMERS, READERS, must_be
from once_delivery.api.schemas.common import Taken
from once_delivery.api.schemas.deliveries import PlanOut, ResumedOut, ResumeIn
from once_delivery.api.waking import wake_batch
from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.services.note_outside_run import note_outside_run
from once_delivery.ledger.services.plan_batch import PlannedStep, plan_batch, tally

router = Router(tags=["batches"])
STEPS_SHOWN = 1000


class PlanIn(Taken):
    """Nothing to say."""


@router.post("/batches/{uuid:batch_id}/plan", response=PlanOut, operation_id="plan_batch")
def plan(request: ApiRequest, batch_id: UUID, said: PlanIn | None = None) -> dict[str, Any]:
    """What a resume would do now, action by action, and why. Changes nothing. At most 1000 steps are listed."""
    must_be(request.token, READERS)
    only_known(request)
    batch = batch_of(request.token, batch_id)
    steps = plan_batch(batch=batch, asked=True)
    shown = steps[:STEPS_SHOWN]
    uuids = dict(Action.objects.filter(pk__in=[one.action_id for one in shown]).values_list("pk", "uuid"))
    return _told(batch, steps) | {
        "steps": [
            {
                "action": uuids[one.action_id],
                "state": one.state,
                "verb": one.step.verb,
                "reason": one.step.reason,
                "why": one.reason,
                "not_before": one.step.not_before,
            }
            for one in shown
        ]
    }


@router.post("/batches/{uuid:batch_id}/resume", response={202: ResumedOut}, operation_id="resume_batch")
def resume(request: ApiRequest, batch_id: UUID, said: ResumeIn | None = None) -> dict[str, Any]:
    """Check the results first, then fill in only what is missing. Safe to ask for any number of times at once."""
    must_be(request.token, PERFORMERS)
    only_known(request)
    batch = batch_of(request.token, batch_id)
    steps = plan_batch(batch=batch, asked=True)
    execution = said.execution.strip() if said is not None else ""
    if execution:
        note_outside_run(
            project=request.token.project,
            batch=batch,
            external_id=execution,
            process=f"api {request.token.name}",
        )
    wake_batch(batch)
    return _told(batch, steps)


def _told(batch: Batch, steps: list[PlannedStep]) -> dict[str, Any]:
    return {
        "batch": {"id": batch.uuid, "name": batch.name},
        "counts": {str(verb): count for verb, count in tally(steps).items()},
    }

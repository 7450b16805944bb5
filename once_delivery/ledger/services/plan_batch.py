"""The resume plan of a batch: for each action what would be done now, and why. Reads only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from once_delivery.ledger import evidence
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.evidence import Known
from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.reasons import sentence
from once_delivery.ledger.resume import Step, Verb, next_step
from once_delivery.ledger.states import State

CHUNK = 10_000
REFUSED = "target-refused"


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """One line of the plan."""

    action_id: int
    target_id: int
    revision: int
    state: State
    step: Step

    @property
    def reason(self) -> str:
        """Why, in the active language."""
        return sentence(self.step.reason, self.step.params)


def plan_batch(*, batch: Batch, asked: bool = False) -> list[PlannedStep]:
    """The plan, in the order of the batch's actions.

    ``asked``: a person asks for it, so what the target refused is tried again. A job that failed is not: a second
    one may cost a second time, and is decided for itself.
    """
    plan = _plan(batch)
    return [_tried_again(one) for one in plan] if asked else list(plan)


def _tried_again(one: PlannedStep) -> PlannedStep:
    if one.state == State.REFUSED and one.step.verb == Verb.PERSON and one.step.reason == REFUSED:
        return replace(one, step=Step(Verb.PERFORM, "refused-try-again"))
    return one


def _plan(batch: Batch) -> Iterator[PlannedStep]:
    ids = list(
        Action.objects.filter(task__references__batch=batch).order_by("pk").values_list("pk", flat=True)
    )
    now = database_now()
    for start in range(0, len(ids), CHUNK):
        known = evidence.load(ids[start : start + CHUNK])
        for action_id in ids[start : start + CHUNK]:
            one: Known = known[action_id]
            yield PlannedStep(
                action_id=action_id,
                target_id=one.target_id,
                revision=one.revision,
                state=one.evidence.state,
                step=next_step(one.evidence, now),
            )


def tally(plan: Sequence[PlannedStep]) -> dict[Verb, int]:
    """How many of each verb, for every verb."""
    counted = Counter(one.step.verb for one in plan)
    return {verb: counted.get(verb, 0) for verb in Verb}

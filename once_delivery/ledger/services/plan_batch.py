"""The resume plan of a batch: for each action what would be done now, and why. Reads only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from once_delivery.ledger import evidence
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.reasons import sentence
from once_delivery.ledger.resume import Step, Verb, next_step, step_at_rest
from once_delivery.ledger.states import FINAL, State

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
    by_permit: bool = False  # an outside workflow performs it

    @property
    def reason(self) -> str:
        """Why, in the active language."""
        return sentence(self.step.reason, self.step.params)


def plan_batch(*, batch: Batch, asked: bool = False, at_rest: bool = True) -> list[PlannedStep]:
    """The plan, in the order of the batch's actions; without ``at_rest`` leave out those that are in a final state.

    ``asked``: a person asks for it, so what the target refused is tried again. A job that failed is not: a second
    one may cost a second time, and is decided for itself.
    """
    plan = _plan(batch, at_rest=at_rest)
    return [_tried_again(one) for one in plan] if asked else list(plan)


def _tried_again(one: PlannedStep) -> PlannedStep:
    if one.state == State.REFUSED and one.step.verb == Verb.PERSON and one.step.reason == REFUSED:
        again = Step(Verb.WAIT, "by-permit") if one.by_permit else Step(Verb.PERFORM, "refused-try-again")
        return replace(one, step=again)
    return one


def _plan(batch: Batch, *, at_rest: bool) -> Iterator[PlannedStep]:
    found = Action.objects.filter(task__references__batch=batch)
    if not at_rest:
        found = found.exclude(state__in=FINAL)
    rows = list(found.order_by("pk").values_list("pk", "target_id", "revision", "state", "result_id"))
    now = database_now()
    for start in range(0, len(rows), CHUNK):
        chunk = rows[start : start + CHUNK]
        # evidence is read only where it can make a difference
        known = evidence.load([row[0] for row in chunk if row[3] not in FINAL])
        for action_id, target_id, revision, state, result_id in chunk:
            one = known.get(action_id)
            if one is not None:
                target_id, revision, state = one.target_id, one.revision, one.evidence.state  # noqa: PLW2901 - read last
            yield PlannedStep(
                action_id=action_id,
                target_id=target_id,
                revision=revision,
                state=State(state),
                step=next_step(one.evidence, now)
                if one is not None
                else step_at_rest(State(state), result_id),
                by_permit=one is not None and one.evidence.by_permit,
            )


def tally(plan: Sequence[PlannedStep]) -> dict[Verb, int]:
    """How many of each verb, for every verb."""
    counted = Counter(one.step.verb for one in plan)
    return {verb: counted.get(verb, 0) for verb in Verb}

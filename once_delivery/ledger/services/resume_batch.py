"""Resume: check the result first, then fill in only the missing action."""

from __future__ import annotations

import time
from dataclasses import dataclass

from once_delivery.accounts.models import User
from once_delivery.ledger.clock import database_now, process_name
from once_delivery.ledger.models import Action, Batch, Run, RunKind, RunStatus
from once_delivery.ledger.resume import Verb
from once_delivery.ledger.services.finish_run import finish_run
from once_delivery.ledger.services.plan_batch import PlannedStep, plan_batch, tally
from once_delivery.ledger.services.work_target import work_target
from once_delivery.ledger.states import NextStep, State
from once_delivery.ledger.transitions import Actor, reschedule

POLL_S = 0.2
_MOVES_BY_ITSELF = (NextStep.PERFORM, NextStep.REPLAY, NextStep.LOOK_UP, NextStep.WAIT)
# they become uncertain first, and then are: a lease that ended, what a restored database does not know of
_NOT_LOOKED_FOR = (State.SENDING, State.PLANNED, State.REFUSED)


@dataclass(frozen=True, slots=True)
class Resumed:
    """What a resume did: the plan that it began with, and the plan that is left."""

    run_id: int
    before: tuple[PlannedStep, ...]
    after: tuple[PlannedStep, ...]


def resume_batch(
    *,
    batch: Batch,
    user: User | None = None,
    kind: RunKind = RunKind.RESUME,
    external_id: str = "",
    wait_s: float = 0.0,
    retry_refused: bool = True,
    actor: Actor | None = None,
) -> Resumed:
    """Carry out the batch's plan; wait up to ``wait_s`` seconds for what needs time (settle times, other senders).

    Confirmed actions are reused and nothing is sent for them (R7). Safe to call any number of times at once.
    """
    actor = actor or Actor(f"user:{user.username}" if user else "system:resume", user.pk if user else None)
    run = Run.objects.create(
        project_id=batch.project_id,
        batch=batch,
        kind=kind,
        external_id=external_id,
        requested_by=user,
        process=process_name(),
    )
    before = plan_batch(batch=batch, asked=retry_refused and kind == RunKind.RESUME)
    status = RunStatus.FAILED
    after: list[PlannedStep] = []
    try:
        _bring_forward(before)
        _work_until_quiet(batch, run, actor, time.monotonic() + wait_s)
        after = plan_batch(batch=batch)
        status = RunStatus.FINISHED if _all_at_rest(after) else RunStatus.FAILED
    finally:
        finish_run(run=run, status=status, summary={"before": _words(before), "after": _words(after)})
    return Resumed(run_id=run.pk, before=tuple(before), after=tuple(after))


def _bring_forward(plan: list[PlannedStep]) -> None:
    """A person asked now: look-ups need not wait for their pause, and what was refused is tried again."""
    now = database_now()
    for one in plan:
        if one.step.verb == Verb.LOOK_UP and one.state not in _NOT_LOOKED_FOR:
            reschedule(action_id=one.action_id, revision=one.revision, next_step=NextStep.LOOK_UP, at=now)
        elif one.step.reason == "refused-try-again":
            reschedule(action_id=one.action_id, revision=one.revision, next_step=NextStep.PERFORM, at=now)


def _work_until_quiet(batch: Batch, run: Run, actor: Actor, until: float) -> None:
    while True:
        targets = list(
            Action.objects.filter(task__references__batch=batch, next_step__in=_MOVES_BY_ITSELF)
            .order_by("target_id")
            .values_list("target_id", flat=True)
            .distinct()
        )
        if not targets:
            return
        done = sum(
            work_target(target_id=target_id, actor=actor, run=run, batch_id=batch.pk).total
            for target_id in targets
        )
        if done:
            continue
        if time.monotonic() >= until:
            return
        time.sleep(POLL_S)


def _all_at_rest(plan: list[PlannedStep]) -> bool:
    """Green means only that the run left nothing to do by itself or for a person."""
    return all(one.step.verb in {Verb.REUSE, Verb.NOTHING} for one in plan)


def _words(plan: list[PlannedStep]) -> dict[str, int]:
    return {str(verb): count for verb, count in tally(plan).items()}

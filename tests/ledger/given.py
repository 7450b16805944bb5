"""What the ledger's tests begin with: times as in real life, work taken by hand, answers, looks."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from once_delivery.accounts.models import Project
from once_delivery.ledger import gate
from once_delivery.ledger.claims import Claimed, Group, claim_group
from once_delivery.ledger.models import Action, Batch, Run, RunKind
from once_delivery.ledger.services.look_up import look_up_due
from once_delivery.ledger.services.perform_group import Performed, perform_group
from once_delivery.ledger.services.record_answers import record_answers
from once_delivery.ledger.transitions import Actor
from once_delivery.targets.base import Answer, FoundObject, Look, Outcome, Verdict
from once_delivery.targets.models import Target
from tests.builders import a_batch, a_delivery, a_project, a_target
from tests.fakes.connector import FakeConnector, FakeTarget

ACTOR = Actor("test:worker")
# the numbers of a real target: with the clock in the test's hand none of them costs time
REAL_LIFE: dict[str, Any] = {
    "deadline_s": 30.0,
    "settle_s": 600.0,
    "look_up_every_s": 5.0,
    "patience_s": 3600.0,
    "window_margin_s": 60.0,
}
LEASE_S = 62.0


def a_real_target(project: Project | None = None, **profile: Any) -> Target:
    return a_target(project or a_project(), **{**REAL_LIFE, **profile})


def a_batch_of(count: int = 1, **profile: Any) -> Batch:
    """``count`` drafts for one target with the numbers of real life."""
    project = a_project()
    a_real_target(project, **profile)
    return a_batch(project, *(a_delivery(f"product-{number:03}") for number in range(count)))


def the_target(batch: Batch) -> Target:
    return Target.objects.filter(project=batch.project).order_by("pk")[0]


def a_run(project: Project) -> Run:
    return Run.objects.create(project=project, kind=RunKind.WORKER, process="test")


def claim(batch: Batch, *, limit: int = 100) -> Group | None:
    """Take what is due at the batch's target, as a sender does; the lane is left free for others."""
    target = the_target(batch)
    group = claim_group(
        target_id=target.pk,
        profile=target.profile,
        run_id=a_run(batch.project).pk,
        actor=ACTOR,
        limit=limit,
        batch_id=batch.pk,
    )
    if group is not None:
        gate.give_back_lane(holder=group.lane)
    return group


def the_claim(batch: Batch) -> Claimed:
    """The one action that is due, taken."""
    group = claim(batch)
    assert group is not None
    (claimed,) = group.items
    return claimed


def record(batch: Batch, *answered: tuple[Claimed, Answer]) -> set[int]:
    """Write down what came back."""
    return record_answers(
        answered, profile=the_target(batch).profile, actor=ACTOR, run_id=a_run(batch.project).pk
    )


def perform(batch: Batch, fake: FakeTarget, *, limit: int = 100) -> Performed | None:
    """One group, taken, sent and recorded."""
    target = the_target(batch)
    return perform_group(
        target_id=target.pk,
        profile=target.profile,
        connector=FakeConnector(fake),
        run_id=a_run(batch.project).pk,
        actor=ACTOR,
        limit=limit,
        batch_id=batch.pk,
    )


def look(batch: Batch, fake: FakeTarget, *, checks: bool = False) -> int:
    """Ask about everything whose look-up is due; returns how many were made."""
    target = the_target(batch)
    return look_up_due(
        target_id=target.pk,
        profile=target.profile,
        connector=FakeConnector(fake),
        actor=ACTOR,
        limit=100,
        run_id=a_run(batch.project).pk,
        batch_id=batch.pk,
        checks=checks,
    )


def done(result_id: str = "obj-1", **values: Any) -> Answer:
    return Answer(Outcome.DONE, "created", result_id, http_status=201, **values)


def said(outcome: Outcome, code: str = "said", **values: Any) -> Answer:
    return Answer(outcome, code, **values)


UNKNOWN = said(Outcome.UNKNOWN, "reset")


def seen(*objects: FoundObject, complete: bool = True, **values: Any) -> Look:
    """A look-up that showed these objects of ours."""
    verdict = {0: Verdict.ABSENT, 1: Verdict.FOUND}.get(len(objects), Verdict.FOUND_MANY)
    return Look(verdict=verdict, method="scripted", complete=complete, objects=objects, **values)


def cannot_tell(code: str = "http-500", **values: Any) -> Look:
    return Look(verdict=Verdict.CANNOT_TELL, method="scripted", complete=False, code=code, **values)


def ours(action: Action, result_id: str = "obj-1", **values: Any) -> FoundObject:
    return FoundObject(result_id=result_id, marker=action.marker, **values)


def events_of(action: Action) -> list[tuple[str, str, str]]:
    """Every change of state of ``action``, oldest first: from, to, why."""
    return list(
        action.events.filter(kind="state")
        .order_by("revision")
        .values_list("from_state", "to_state", "reason")
    )


def put(action: Action, **columns: object) -> None:
    """Set columns that no rule guards (times, mostly)."""
    Action.objects.filter(pk=action.pk).update(**columns)


def state_of(action: Action) -> str:
    return str(Action.objects.get(pk=action.pk).state)


def next_at(action: Action) -> datetime:
    moment = Action.objects.get(pk=action.pk).next_step_at
    assert moment is not None
    return moment

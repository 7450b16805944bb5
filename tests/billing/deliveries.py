"""Deliveries as they were made on given days: tasks, sends, answers, decisions, cases and time worked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import uuid4

import time_machine
from django.db import connection

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Action, Attempt, Event, Receipt, Run, RunKind, Task
from once_delivery.ledger.requests import ActionRequest
from once_delivery.ledger.states import NextStep, State
from once_delivery.ledger.transitions import Actor, Move, move
from once_delivery.review.models import Asset, Draft, Review, Revocation
from once_delivery.targets.base import Kind, Outcome
from once_delivery.targets.models import Target
from reconciliation.models import Case, CaseStatus, TimeSpan
from tests.builders import a_batch, a_delivery, a_draft, a_target, a_user


def at(day: int, hour: int = 8, month: int = 9) -> datetime:
    return datetime(2026, month, day, hour, tzinfo=UTC)


def tasks_of(project: Project, *wanted: tuple[str, int], asked: datetime | None = None) -> list[Task]:
    """One task for each product and input version, each with one draft to make; asked for on 2 September."""
    if not Target.objects.filter(project=project).exists():
        a_target(project)
    for version in sorted({version for _, version in wanted}):
        deliveries = [
            a_delivery(product, input_version=number, brief={"text": f"{product} v{number}"})
            for product, number in wanted
            if number == version
        ]
        with time_machine.travel(asked or at(2), tick=False):
            a_batch(project, *deliveries, name=f"batch {project.batches.count() + 1}")
    tasks = Task.objects.filter(project=project).select_related("product", "input_version")
    found = {(task.product.code, task.input_version.number): task for task in tasks}
    return [found[one] for one in wanted]


def rework_of(task: Task) -> Action:
    """What is asked for once more for the same task, after its draft was rejected."""
    slot = f"rework-{task.actions.count()}"
    delivery = a_delivery(
        task.product.code,
        input_version=task.input_version.number,
        brief=task.input_version.content,
        actions=(a_draft(title=f"{task.product.code} {slot}", slot=slot),),
    )
    a_batch(task.project, delivery, name=f"{task.product.code} {slot}")
    return Action.objects.get(task=task, slot=slot)


def sent(
    action: Action,
    moment: datetime,
    outcome: Outcome | None = Outcome.DONE,
    usage: Mapping[str, Any] | None = None,
) -> Attempt:
    """One send and what came back (None: nothing has), which told ``usage``."""
    run = Run.objects.create(project=action.project, kind=RunKind.WORKER, process="test")
    attempt = Attempt.objects.create(
        project=action.project,
        action=action,
        run=run,
        number=action.attempts.count() + 1,
        replay=False,
        key_generation=1,
        sender="test",
        intended_at=moment,
        lease_until=moment + timedelta(seconds=30),
    )
    if outcome is not None:
        Receipt.objects.create(
            project=action.project,
            attempt=attempt,
            action=action,
            outcome=outcome,
            code="test",
            result_id=f"result-{attempt.pk}" if outcome == Outcome.DONE else "",
            usage=dict(usage or {}),
            received_at=moment + timedelta(seconds=5),
        )
    return attempt


def confirmed(action: Action, by: Attempt) -> None:
    """The result of ``by`` is the action's."""
    one = Move(
        action_id=action.pk,
        source=State(action.state),
        to=State.CONFIRMED,
        reason="answered",
        revision=action.revision,
        result_id=f"result-{by.pk}",
    )
    assert move([one], actor=Actor("test"))
    action.refresh_from_db()


def delivered(task: Task, moment: datetime, usage: Mapping[str, Any] | None = None) -> Attempt:
    """Sent once, and answered."""
    action = task.actions.get()
    attempt = sent(action, moment, usage=usage)
    confirmed(action, attempt)
    return attempt


def decided(
    task: Task, verdict: str, moment: datetime, *, reasons: Sequence[str] = (), text: str = ""
) -> Review:
    action = task.actions.order_by("-pk")[0]
    content = text or f"text of {task.pk}"
    draft, _ = Draft.objects.get_or_create(
        project=task.project,
        action=action,
        content_hash=sha256(content.encode()).hexdigest(),
        defaults={"content": {"body": content}, "first_read_at": moment, "read_at": moment},
    )
    return Review.objects.create(
        project=task.project,
        task=task,
        draft=draft,
        verdict=verdict,
        reasons=list(reasons),
        user=a_user("lead"),
        at=moment,
    )


def accepted(task: Task, moment: datetime, *, text: str = "") -> Asset:
    review = decided(task, "accepted", moment, text=text)
    return Asset.objects.create(
        project=task.project,
        task=task,
        action=review.draft.action,
        review=review,
        draft=review.draft,
        accepted_at=moment,
    )


def taken_back(asset: Asset, status: str, *, moment: datetime) -> None:
    """The acceptance is taken back; ``status``: of the question to the client."""
    Asset.objects.filter(pk=asset.pk).update(withdrawn_at=moment)
    back = decided(asset.task, "withdrawn", moment)
    Revocation.objects.create(project=asset.project, asset=asset, review=back, status=status, asked_at=moment)


def worked_on(task: Task, kind: str, moment: datetime, minutes: float) -> Case:
    """A case that was decided, and the time that was measured on it."""
    case = Case.objects.create(
        project=task.project,
        action=task.actions.order_by("pk")[0],
        kind=kind,
        reason="test",
        status=CaseStatus.RESOLVED,
        resolution="adopt",
        owner=a_user("ops"),
        opened_at=moment,
        due_at=moment + timedelta(hours=8),
        resolved_at=moment + timedelta(hours=1),
    )
    end = moment + timedelta(minutes=minutes)
    TimeSpan.objects.create(
        project=task.project, case=case, user=a_user("ops"), began_at=moment, seen_at=end, ended_at=end
    )
    return case


def uncertain_job(task: Task, moment: datetime) -> Attempt:
    """A generation job whose answer was lost, and whose outcome is not known yet."""
    drawn = ActionRequest(target="cms", kind=Kind.START_JOB, slot="job", payload={"prompt": "a kettle"})
    delivery = a_delivery(
        task.product.code,
        input_version=task.input_version.number,
        brief=task.input_version.content,
        actions=(drawn,),
    )
    a_batch(task.project, delivery, name=f"{task.product.code} job")
    action = Action.objects.get(task=task, slot="job")
    attempt = sent(action, moment, Outcome.UNKNOWN)
    token = uuid4()
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE ledger_action SET state = 'sending', revision = revision + 1, lease_token = %s, next_step = 'wait',"
            " lease_until = clock_timestamp() WHERE id = %s",
            [token, action.pk],
        )
    Event.objects.create(
        project=task.project,
        action=action,
        kind="state",
        revision=1,
        from_state="planned",
        to_state="sending",
        reason="claimed",
        actor="test",
        at=moment,
    )
    lost = Move(
        action_id=action.pk,
        source=State.SENDING,
        to=State.UNCERTAIN,
        reason="look-first",
        lease_token=token,
        next_step=NextStep.LOOK_UP,
        next_step_at=moment,
    )
    assert move([lost], actor=Actor("test"))
    return attempt

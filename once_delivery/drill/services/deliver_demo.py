"""Deliver the sample batch to a sandbox space of the demo, with one answer lost on the way."""

from __future__ import annotations

from dataclasses import dataclass

from once_delivery.accounts.models import Project, User
from once_delivery.intake.samples import autumn_launch
from once_delivery.ledger.models import Action, Batch, RunKind
from once_delivery.ledger.resume import Verb
from once_delivery.ledger.services.plan_batch import tally
from once_delivery.ledger.services.request_batch import request_batch
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.base import Kind
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Guard
from once_delivery.targets.rest.profiles import ready_profile
from once_delivery.targets.services.save_target import save_target
from reconciliation.services.audit_target import audit_target

TARGET = "sandbox"
SPACE = "demo"
WAIT_S = 20.0
TIMES = {"deadline_s": 3.0, "settle_s": 5.0, "look_up_every_s": 0.5}


@dataclass(frozen=True, slots=True)
class DemoDelivered:
    """What stands where after it."""

    batch: Batch
    verbs: dict[Verb, int]
    page: str


def deliver_demo(*, project: Project, admin: SandboxAdmin, user: User | None = None) -> DemoDelivered:
    """Afterwards every draft and picture of the sample stands in the sandbox exactly once. Again changes nothing."""
    target = _target(project, admin)
    result = request_batch(project=project, request=autumn_launch(target=target.name), user=user)
    batch = result.batch
    if result.actions_new:
        _lose_one_answer(batch, admin)
    resumed = resume_batch(
        batch=batch, user=user, kind=RunKind.FIRST if result.actions_new else RunKind.RESUME, wait_s=WAIT_S
    )
    audit_target(target=target, user=user)
    return DemoDelivered(batch=batch, verbs=tally(resumed.after), page=admin.page_url(SPACE))


def _target(project: Project, admin: SandboxAdmin) -> Target:
    space = admin.put_space(SPACE)
    ready = ready_profile("sandbox", Guard.LOOKUP)
    return save_target(
        project=project,
        name=TARGET,
        kind="rest",
        base_url=admin.content_url(SPACE),  # the port may be another one than the last time
        declaration=ready.declaration,
        profile={**ready.profile, **TIMES},
        credentials={"token": space["token"]},
        allow_inside=True,
        is_test=True,
        replace=True,
    )


def _lose_one_answer(batch: Batch, admin: SandboxAdmin) -> None:
    marker = (
        Action.objects.filter(task__references__batch=batch, kind=Kind.CREATE_DRAFT)
        .order_by("pk")
        .values_list("marker", flat=True)[1]
    )
    admin.add_fault(SPACE, "answer_lost", match={"marker": marker})

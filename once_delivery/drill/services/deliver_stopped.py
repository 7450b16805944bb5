"""A batch of the demo that stopped in the middle: what the ops owner finds in the morning."""

from __future__ import annotations

from dataclasses import replace

from once_delivery.accounts.models import Project, User
from once_delivery.drill.services.deliver_demo import SPACE, TARGET, WAIT_S
from once_delivery.intake.samples import autumn_launch
from once_delivery.ledger.models import Action, Batch, RunKind
from once_delivery.ledger.services.request_batch import request_batch
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.base import Kind
from reconciliation.services.open_cases import open_cases

BATCH = "winter-newsletter"
PURPOSE = "newsletter"  # tasks of their own: a task has one draft
PAGES = 4


def deliver_stopped(*, project: Project, admin: SandboxAdmin, user: User | None = None) -> Batch:
    """Two drafts are confirmed, one stands there twice and waits for a person, one was refused and waits for a resume.

    Only the first time: what people did about it since stays. The demo's target is there already.
    """
    found = Batch.objects.filter(project=project, name=BATCH).first()
    if found is not None:
        return found
    sample = autumn_launch(target=TARGET, name=BATCH, purpose=PURPOSE)
    request = replace(sample, deliveries=sample.deliveries[:PAGES])
    batch = request_batch(project=project, request=request, user=user).batch
    _arm(batch, admin)
    resume_batch(batch=batch, user=user, kind=RunKind.FIRST, wait_s=WAIT_S)
    open_cases(project=project)
    return batch


def _arm(batch: Batch, admin: SandboxAdmin) -> None:
    """The second draft's answer is lost where somebody's own retry has made the same draft; the third is refused once."""
    drafts = list(Action.objects.filter(task__references__batch=batch, kind=Kind.CREATE_DRAFT).order_by("pk"))
    twice, refused = drafts[1], drafts[2]
    admin.make(
        SPACE, "drafts", marker=twice.marker, title=twice.payload["title"], body=twice.payload["body"],
        locale=twice.payload["locale"],
    )  # fmt: skip
    admin.add_fault(SPACE, "answer_lost", match={"marker": twice.marker})
    admin.add_fault(SPACE, "refuse", match={"marker": refused.marker})

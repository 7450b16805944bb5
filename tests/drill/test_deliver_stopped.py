"""The demo's batch that stopped in the middle: made once, and a person's to finish."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from once_delivery.drill.services.deliver_demo import SPACE, deliver_demo
from once_delivery.drill.services.deliver_stopped import deliver_stopped
from once_delivery.intake.services.seed_demo import seed_demo
from once_delivery.ledger.models import Action, Batch, RunKind
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.sandbox.process import SandboxProcess
from once_delivery.targets.base import Kind
from reconciliation.models import Case, CaseStatus

pytestmark = pytest.mark.django_db(transaction=True)


def drafts(batch: Batch) -> list[Action]:
    return list(Action.objects.filter(task__references__batch=batch, kind=Kind.CREATE_DRAFT).order_by("pk"))


def test_it_waits_for_people_and_is_finished_by_them(tmp_path: Path, settings: Settings) -> None:
    settings.STATE_DIR = tmp_path / "state"
    project = seed_demo().project
    with SandboxProcess(tmp_path / "sandbox") as sandbox:
        deliver_demo(project=project, admin=sandbox.admin)
        batch = deliver_stopped(project=project, admin=sandbox.admin)

        assert [one.state for one in drafts(batch)] == ["confirmed", "reconcile", "refused", "confirmed"]
        held = [len(sandbox.admin.objects(SPACE, marker=one.marker)) for one in drafts(batch)]
        assert held == [1, 2, 0, 1]
        case = Case.objects.get(action=drafts(batch)[1], status=CaseStatus.OPEN)
        assert case.owner.username == "ops"

        resume_batch(batch=batch, kind=RunKind.RESUME, wait_s=20)
        assert [one.state for one in drafts(batch)] == ["confirmed", "reconcile", "confirmed", "confirmed"]

        assert deliver_stopped(project=project, admin=sandbox.admin) == batch
        held = [len(sandbox.admin.objects(SPACE, marker=one.marker)) for one in drafts(batch)]
        assert held == [1, 2, 1, 1]

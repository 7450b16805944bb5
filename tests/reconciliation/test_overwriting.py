"""An editor's words are lost only where somebody decided it who had seen them."""

from __future__ import annotations

import pytest

from once_delivery.accounts.models import Membership, Role, User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Action, Batch, Observation
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.ledger.states import State
from reconciliation.decisions import Decision
from reconciliation.models import Approval, ApprovalStatus, Case
from reconciliation.services import approvals
from reconciliation.services.approvals import answer, propose
from reconciliation.services.decide_case import decide_case
from reconciliation.services.open_cases import open_cases
from tests.builders import a_batch, a_delivery, a_draft, a_project, a_target, the_action
from tests.fakes.connector import FakeTarget
from tests.reconciliation.given import again, member

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def changed(fake: FakeTarget, ops: User) -> Case:
    """An editor wrote between version 1 and version 2."""
    project = a_project()
    a_target(project, on_new_version="update_existing")
    for number in (1, 2):
        batch = a_batch(
            project,
            a_delivery(input_version=number, brief={"n": number}, actions=(a_draft(f"kettle v{number}"),)),
            name=f"version {number}",
        )
        resume_batch(batch=batch, wait_s=5.0)
        if number == 1:
            fake.change(fake.objects[0], {"title": "An editor's", "body": "own words"})
    open_cases()
    return Case.objects.get()


def looked_again(action: Action, version: str, title: str) -> None:
    """A look that somebody asked for shows yet another text."""
    shown = {"result_id": "obj-1", "version": version, "content": {"title": title}}
    now = database_now()
    Observation.objects.create(
        project_id=action.project_id,
        action=action,
        verdict="cannot_tell",
        method="memory",
        complete=False,
        code="changed-meanwhile",
        candidates=[shown],
        looked_at=now,
        recorded_at=now,
    )


def test_what_was_agreed_to_is_what_was_shown(
    changed: Case, ops: User, fake: FakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look comes in between the check of the proposal and its being carried out: nobody has seen that text."""
    client = member("client", Role.CLIENT_APPROVER)
    approval = propose(case=changed, decision=Decision.OVERWRITE, user=ops)
    (held,) = fake.objects
    fake.change(held, {"title": "Even newer words", "body": "of the editor"})
    voided = approvals._voided

    def and_then_a_look(one: Approval) -> bool:
        found = voided(one)
        looked_again(changed.action, "3", "Even newer words")
        return found

    monkeypatch.setattr(approvals, "_voided", and_then_a_look)
    with pytest.raises(DomainError):
        answer(approval=approval, user=client, agree=True)
    resume_batch(batch=Batch.objects.get(name="version 2"), wait_s=2.0)
    assert fake.objects[0].content["title"] == "Even newer words"
    assert the_action(Batch.objects.get(name="version 2")).state == State.RECONCILE


def test_an_old_approval_covers_nothing_newer(changed: Case, ops: User) -> None:
    client = member("client", Role.CLIENT_APPROVER)
    approval = propose(case=changed, decision=Decision.OVERWRITE, user=ops)
    Approval.objects.filter(pk=approval.pk).update(
        status=ApprovalStatus.GIVEN, answered_by=client, answered_at=database_now()
    )
    approval.refresh_from_db()
    looked_again(changed.action, "3", "Even newer words")
    with pytest.raises(DomainError, match="approval-needed"):
        decide_case(case=again(changed), decision=Decision.OVERWRITE, user=ops, approval=approval)


def test_who_was_removed_answers_nothing(changed: Case, ops: User) -> None:
    client = member("client", Role.CLIENT_APPROVER)
    approval = propose(case=changed, decision=Decision.OVERWRITE, user=ops)
    Membership.objects.filter(user=client).delete()
    with pytest.raises(DomainError, match="not-yours-to-approve"):
        answer(approval=approval, user=client, agree=True)
    assert again(changed).action.state == State.RECONCILE

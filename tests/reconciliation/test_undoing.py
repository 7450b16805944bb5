"""Undo where undo is true: the ledger still stands as it stood, and nothing has come of the decision."""

from __future__ import annotations

from datetime import timedelta

import pytest

from once_delivery.accounts.models import Membership, Role, User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.models import Action, Event
from once_delivery.ledger.services.record_presence import record_presence
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.ledger.services.work_target import work_target
from once_delivery.targets.base import Presence
from reconciliation import undoing
from reconciliation.decisions import Decision
from reconciliation.models import Approval, ApprovalStatus, Case, CaseStatus
from reconciliation.services.approvals import answer, propose, withdraw
from reconciliation.services.decide_case import decide_case
from reconciliation.services.open_cases import open_cases
from reconciliation.services.undo_step import undo
from tests.builders import a_batch, a_project, a_target, a_user, the_action
from tests.fakes.connector import FakeTarget, refused
from tests.ledger.given import ACTOR
from tests.reconciliation.given import again, events, member

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def refused_case(fake: FakeTarget, ops: User) -> Case:
    fake.scripted = [refused]
    project = a_project()
    a_target(project)
    resume_batch(batch=a_batch(project))
    open_cases()
    return Case.objects.get()


def test_a_permission_is_taken_back_before_anything_is_sent(
    refused_case: Case, ops: User, fake: FakeTarget
) -> None:
    before = again(refused_case).action
    decide_case(case=refused_case, decision=Decision.RETRY, user=ops)
    with pytest.raises(DomainError, match="nothing-to-undo"):
        undo(case=refused_case, user=a_user("deputy"))
    undo(case=refused_case, user=ops)
    case = again(refused_case)
    assert (case.status, case.resolved_by, case.resolution) == (CaseStatus.OPEN, None, "")
    now = case.action
    assert (now.state, now.next_step, now.reason) == (before.state, "person", before.reason)
    assert Event.objects.filter(action=now, reason="taken-back", user_id=ops.pk).count() == 1
    work_target(target_id=now.target_id, actor=ACTOR)
    assert len(fake.creates) == 1  # the one that was refused
    assert open_cases() == 0  # it is the same case that is open
    decide_case(case=case, decision=Decision.RETRY, user=ops)  # and it can be decided anew


def test_what_has_been_sent_is_not_taken_back(refused_case: Case, ops: User, fake: FakeTarget) -> None:
    decide_case(case=refused_case, decision=Decision.RETRY, user=ops)
    resume_batch(batch=refused_case.action.task.references.get().batch)
    with pytest.raises(DomainError, match="nothing-to-undo"):
        undo(case=refused_case, user=ops)
    assert again(refused_case).status == CaseStatus.RESOLVED


def test_not_after_a_while(refused_case: Case, ops: User, monkeypatch: pytest.MonkeyPatch) -> None:
    decide_case(case=refused_case, decision=Decision.RETRY, user=ops)
    monkeypatch.setattr(undoing, "UNDO_FOR", timedelta(0))
    with pytest.raises(DomainError, match="nothing-to-undo"):
        undo(case=refused_case, user=ops)


@pytest.mark.parametrize(("decision", "result_id"), [(Decision.GIVE_UP, ""), (Decision.ADOPT, "obj-1")])
def test_no_arrow_leads_back(case: Case, ops: User, decision: Decision, result_id: str) -> None:
    decide_case(case=case, decision=decision, user=ops, result_id=result_id)
    state = again(case).action.state
    with pytest.raises(DomainError, match="nothing-to-undo"):
        undo(case=case, user=ops)
    assert (again(case).action.state, again(case).status) == (state, CaseStatus.RESOLVED)


def test_settling_is_taken_back_until_the_target_was_counted(fake: FakeTarget, ops: User) -> None:
    project = a_project()
    a_target(project)
    batch = a_batch(project)
    resume_batch(batch=batch)
    action = the_action(batch)
    record_presence([(action.pk, Presence.DUPLICATE)])
    open_cases()
    case = Case.objects.get()
    decide_case(case=case, decision=Decision.SETTLE, user=ops)
    undo(case=case, user=ops)
    action = Action.objects.get(pk=action.pk)
    assert (action.presence, action.check_due_at, again(case).status) == ("duplicate", None, CaseStatus.OPEN)
    decide_case(case=case, decision=Decision.SETTLE, user=ops)
    record_presence([(action.pk, Presence.PRESENT)])
    with pytest.raises(DomainError, match="nothing-to-undo"):
        undo(case=case, user=ops)


def test_a_proposal_is_taken_back_by_who_made_it(case: Case, ops: User) -> None:
    propose(case=case, decision=Decision.ABSENT, user=ops)
    undo(case=case, user=ops)
    assert Approval.objects.get().status == ApprovalStatus.WITHDRAWN
    assert events(case)[-1] == "undone"
    propose(case=case, decision=Decision.ABSENT, user=ops)


def test_who_has_gone_decides_nothing_and_their_proposal_is_withdrawn(case: Case, ops: User) -> None:
    deputy = a_user("deputy")
    third = member("third", Role.OPS_OWNER)
    approval = propose(case=case, decision=Decision.ABSENT, user=deputy)
    Membership.objects.filter(user=deputy).delete()
    with pytest.raises(DomainError, match="proposer-gone"):
        answer(approval=approval, user=ops, agree=True)
    with pytest.raises(DomainError, match="not-yours-to-decide"):
        withdraw(approval=approval, user=deputy)
    withdraw(approval=approval, user=third, words="I take it on.")
    with pytest.raises(DomainError, match="approval-over"):
        withdraw(approval=approval, user=third)
    assert (events(case)[-1], again(case).paused_at) == ("withdrawn", None)
    approval = propose(case=case, decision=Decision.ABSENT, user=third)
    answer(approval=approval, user=ops, agree=True)
    assert again(case).action.state == "planned"

"""What needs somebody else: asked, answered, void; who proposes never approves."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from once_delivery.accounts.models import Role, User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Observation
from once_delivery.ledger.requests import ActionRequest
from once_delivery.ledger.services.restore_ledger import open_restoration
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.ledger.states import State
from once_delivery.ledger.transitions import Actor
from once_delivery.targets.base import Kind
from reconciliation.decisions import Decision, Needs, needs_of
from reconciliation.models import (
    Approval,
    ApprovalStatus,
    Case,
    CaseStatus,
)
from reconciliation.services.approvals import answer, propose
from reconciliation.services.open_cases import open_cases
from reconciliation.services.tell_times import tell_times
from tests.builders import a_batch, a_delivery, a_project, a_target, a_user
from tests.fakes.connector import FakeTarget, answer_lost
from tests.reconciliation.given import again, events, grown_old, member

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_clock_stands_while_the_client_is_waited_for(fake: FakeTarget, ops: User) -> None:
    """A second job may cost a second time: the client's to decide."""
    fake.scripted = [answer_lost]
    project = a_project()
    a_target(project, guard="none", look_up=False)
    job = ActionRequest(target="cms", kind=Kind.START_JOB, slot="video", payload={"prompt": "a kettle"})
    resume_batch(batch=a_batch(project, a_delivery(actions=(job,))))
    open_cases()
    case = Case.objects.get()
    client = member("client", Role.CLIENT_APPROVER)
    assert needs_of(again(case), Decision.ABSENT) == Needs.CLIENT
    approval = propose(case=case, decision=Decision.ABSENT, user=ops, words="Paid twice at worst.")
    assert approval.by_client
    paused = again(case)
    assert paused.paused_at is not None
    grown_old(case, 300)
    assert tell_times() == 0
    # two hours later the client says no
    due = again(case).due_at
    Case.objects.filter(pk=case.pk).update(paused_at=database_now() - timedelta(hours=2))
    for other in (ops, a_user("deputy")):
        with pytest.raises(DomainError, match="not-yours-to-approve"):
            answer(approval=approval, user=other, agree=True)
    answer(approval=approval, user=client, agree=False, words="Not at our cost.")
    after = again(case)
    assert (after.status, after.paused_at, after.action.state) == (CaseStatus.OPEN, None, State.RECONCILE)
    assert abs(after.due_at - due - timedelta(hours=2)) < timedelta(seconds=10)
    assert events(case)[-2:] == ["asked", "denied"]


def test_an_approval_is_void_when_the_case_changed(case: Case, ops: User, fake: FakeTarget) -> None:
    approval = propose(case=case, decision=Decision.ABSENT, user=ops)
    now = database_now()
    Observation.objects.create(
        project=case.project,
        action=case.action,
        verdict="found",
        method="m",
        complete=True,
        looked_at=now,
        recorded_at=now,
    )
    with pytest.raises(DomainError, match="approval-over"):
        answer(approval=approval, user=a_user("deputy"), agree=True)
    approval.refresh_from_db()
    assert (approval.status, again(case).action.state, len(fake.creates)) == (
        ApprovalStatus.VOID,
        State.RECONCILE,
        3,
    )
    # and a new one may be asked for
    answer(approval=propose(case=case, decision=Decision.ABSENT, user=ops), user=a_user("deputy"), agree=True)
    assert again(case).status == CaseStatus.RESOLVED


def test_one_question_at_a_time_and_none_without_need(case: Case, ops: User) -> None:
    propose(case=case, decision=Decision.ABSENT, user=ops)
    with pytest.raises(DomainError, match="approval-asked"):
        propose(case=case, decision=Decision.ABSENT, user=ops)
    with pytest.raises(DomainError, match="nothing-to-approve"):
        propose(case=Case.objects.order_by("pk")[1], decision=Decision.GIVE_UP, user=ops)


def test_two_answers_at_once(case: Case, ops: User, fake: FakeTarget) -> None:
    approval = propose(case=case, decision=Decision.ABSENT, user=ops)
    others = [a_user("deputy"), member("third", Role.OPS_OWNER), member("fourth", Role.ADMIN)]

    def say(user: User) -> str:
        try:
            answer(approval=Approval.objects.get(pk=approval.pk), user=user, agree=True)
        except DomainError as error:
            return error.code
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(3) as pool:
        said = sorted(pool.map(say, others))
    assert said.count("done") == 1
    assert set(said) <= {"done", "approval-over", "case-closed"}
    assert again(case).action.state == State.PLANNED


def test_the_database_refuses_approving_ones_own(case: Case, ops: User) -> None:
    approval = propose(case=case, decision=Decision.ABSENT, user=ops)
    with pytest.raises(IntegrityError), transaction.atomic():
        Approval.objects.filter(pk=approval.pk).update(answered_by=ops)


def test_from_the_command_line(case: Case, ops: User) -> None:
    def run(*arguments: str) -> str:
        out = StringIO()
        call_command("cases", *arguments, stdout=out)
        return out.getvalue()

    uuid = str(case.uuid)
    with pytest.raises(CommandError, match="approval-needed"):
        run("--decide", uuid, "--as", "absent", "--user", "ops")
    run("--decide", uuid, "--as", "absent", "--user", "ops", "--propose", "--words", "It is not there.")
    with pytest.raises(CommandError, match="not-yours-to-approve"):
        run("--approve", uuid, "--user", "ops")
    run("--approve", uuid, "--user", "deputy")
    assert again(case).status == CaseStatus.RESOLVED
    with pytest.raises(CommandError, match="Nothing is proposed"):
        run("--approve", uuid, "--user", "deputy")


def test_what_was_proposed_before_a_restore_is_void(fake: FakeTarget, ops: User) -> None:
    """Whether it was agreed to and sent after the backup, nobody knows any more."""
    fake.scripted = [answer_lost]
    project = a_project()
    a_target(project, guard="none", look_up=False)
    resume_batch(batch=a_batch(project, a_delivery()))
    open_cases()
    case = Case.objects.get()
    approval = propose(case=case, decision=Decision.ABSENT, user=ops)

    open_restoration(since=database_now(), actor=Actor("test"))

    with pytest.raises(DomainError, match="approval-over"):
        answer(approval=approval, user=a_user("deputy"), agree=True)
    approval.refresh_from_db()
    assert (approval.status, len(fake.objects)) == (ApprovalStatus.VOID, 1)
    answer(
        approval=propose(case=again(case), decision=Decision.ABSENT, user=ops),
        user=a_user("deputy"),
        agree=True,
    )
    assert again(case).action.state == State.PLANNED

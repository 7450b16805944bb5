"""Propose a decision that needs somebody else's agreement, and answer it. Who proposes never approves."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_noop

from once_delivery.accounts.access import role_of
from once_delivery.accounts.clients import client_approvers
from once_delivery.accounts.models import Membership, Project, User
from once_delivery.common.errors import DomainError
from once_delivery.common.redact import storable
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.restoring import latest_opened_at
from once_delivery.notices.models import Event
from once_delivery.notices.services.announce import announce
from reconciliation.case_clock import go_on, pause
from reconciliation.decisions import DECIDERS, EFFECTS, Decision, Needs, latest_evidence, needs_of, possible
from reconciliation.models import Approval, ApprovalStatus, Case, CaseEventKind
from reconciliation.services.decide_case import decide_case
from reconciliation.working import must_decide, told_of, worked_on, write


class NothingToApproveError(DomainError):
    """It can be decided at once, or does not fit."""

    code = "nothing-to-approve"
    template = gettext_noop("This decision does not fit the case, or needs nobody's agreement.")


class ApprovalAskedError(DomainError):
    """One question at a time."""

    code = "approval-asked"
    template = gettext_noop("Somebody is asked already; their answer comes first.")


class ApprovalOverError(DomainError):
    """Answered, withdrawn or void."""

    code = "approval-over"
    template = gettext_noop("This proposal was answered already, or is void because the case has changed.")


class ProposerGoneError(DomainError):
    """It would be decided in the name of somebody who decides nothing here any more."""

    code = "proposer-gone"
    template = gettext_noop(
        "“%(user)s” proposed this and does not decide in this project any more. "
        "An ops owner withdraws the proposal and makes it anew."
    )


class NotYoursToApproveError(DomainError):
    """Never by who proposed; the client's by a client approver."""

    code = "not-yours-to-approve"
    template = gettext_noop("“%(user)s” may not answer this proposal.")


def propose(
    *,
    case: Case,
    decision: Decision,
    user: User,
    result_id: str = "",
    words: str = "",
    revision: int | None = None,
) -> Approval:
    """Afterwards those who may answer are asked, and the clock stands while it is the client who is waited for.

    Raises NotYoursToDecideError, CaseClosedError, CaseChangedError, NothingToApproveError, ApprovalAskedError.
    """
    must_decide(case, user)
    with worked_on(case, revision=revision) as locked:
        needs = needs_of(locked, decision)
        if needs == Needs.NOTHING or decision not in possible(locked):
            raise NothingToApproveError
        if locked.approvals.filter(status=ApprovalStatus.ASKED).exists():
            raise ApprovalAskedError
        now = database_now()
        approval = _asked(locked, decision, needs, result_id=result_id, words=words, by=user, now=now)
        if needs == Needs.CLIENT:
            pause(locked, now)
        write(locked, CaseEventKind.ASKED, user=user, text=words, decision=decision, result_id=result_id)
        people = approvers_of(locked.project, approval)
        _tell(locked, Event.APPROVAL_ASKED, people, approval=approval, by=user, words=words)
    return approval


def _asked(
    case: Case, decision: Decision, needs: Needs, *, result_id: str, words: str, by: User, now: datetime
) -> Approval:
    return Approval.objects.create(
        project_id=case.project_id,
        case=case,
        decision=decision,
        result_id=storable(result_id)[:300],
        by_client=needs == Needs.CLIENT,
        words=storable(words).strip()[:4000],
        action_revision=case.action.revision,
        evidence_id=latest_evidence(case),
        proposed_by=by,
        proposed_at=now,
    )


def answer(*, approval: Approval, user: User, agree: bool, words: str = "") -> None:
    """Afterwards the decision is carried out, or the case is back with its owner.

    Raises NotYoursToApproveError, ProposerGoneError, ApprovalOverError (also when the case changed meanwhile: the approval is void then),
    and what ``decide_case`` raises.
    """
    if user not in approvers_of(approval.project, approval):
        raise NotYoursToApproveError(user=user.username)
    if _voided(approval):
        raise ApprovalOverError
    if agree and role_of(approval.proposed_by, approval.project) not in DECIDERS:
        raise ProposerGoneError(user=approval.proposed_by.username)
    with transaction.atomic():
        with worked_on(approval.case) as locked:
            now = database_now()
            status = ApprovalStatus.GIVEN if agree else ApprovalStatus.DENIED
            changed = Approval.objects.filter(pk=approval.pk, status=ApprovalStatus.ASKED).update(
                status=status, answered_by=user, answered_at=now, answer_words=storable(words).strip()[:4000]
            )
            if not changed:
                raise ApprovalOverError
            go_on(locked, now)
            kind = CaseEventKind.APPROVED if agree else CaseEventKind.DENIED
            write(locked, kind, user=user, text=words, decision=approval.decision)
            event = Event.APPROVAL_GIVEN if agree else Event.APPROVAL_DENIED
            _tell(locked, event, [approval.proposed_by], approval=approval, by=user, words=words)
        if agree:
            approval.refresh_from_db()
            decide_case(
                case=approval.case,
                decision=Decision(approval.decision),
                user=approval.proposed_by,
                result_id=approval.result_id,
                words=approval.words,
                approval=approval,
            )


def withdraw(*, approval: Approval, user: User, words: str = "") -> None:
    """Afterwards nobody is asked any more and the clock runs; whoever decides here may, also for who has gone.

    Raises NotYoursToDecideError, ApprovalOverError, CaseClosedError.
    """
    must_decide(approval.case, user)
    with worked_on(approval.case) as locked:
        now = database_now()
        asked = Approval.objects.filter(pk=approval.pk, status=ApprovalStatus.ASKED)
        if not asked.update(status=ApprovalStatus.WITHDRAWN, answered_at=now):
            raise ApprovalOverError
        go_on(locked, now)
        write(locked, CaseEventKind.WITHDRAWN, user=user, text=words, decision=approval.decision)


def approvers_of(project: Project, approval: Approval) -> list[User]:
    """Who may answer: client approvers (admins where the project has none), or the other ops owners and admins."""
    if approval.by_client:
        people = client_approvers(project)
    else:
        deciding = Membership.objects.filter(project=project, user__is_active=True, role__in=DECIDERS)
        people = [one.user for one in deciding.select_related("user")]
    return [one for one in people if one.pk != approval.proposed_by_id]


def may_answer(user: User, approval: Approval) -> bool:
    """Whether ``user`` is one of them."""
    return role_of(user, approval.project) is not None and user in approvers_of(approval.project, approval)


def _is_of_another_ledger(approval: Approval) -> bool:
    """Proposed before the database was restored: what came of it since then nobody here knows."""
    restored_at = latest_opened_at()
    return restored_at is not None and approval.proposed_at < restored_at


def _voided(approval: Approval) -> bool:
    """Mark an approval void whose case or action is not what it was when it was proposed."""
    with transaction.atomic():
        case = (
            Case.objects.select_for_update(of=("self",))
            .select_related("action", "project")
            .get(pk=approval.case_id)
        )
        same = (
            case.action.revision == approval.action_revision
            and latest_evidence(case) == approval.evidence_id
            and case.status == "open"
            and not _is_of_another_ledger(approval)
        )
        if same:
            return False
        changed = Approval.objects.filter(pk=approval.pk, status=ApprovalStatus.ASKED).update(
            status=ApprovalStatus.VOID, answered_at=database_now()
        )
        if changed:
            go_on(case, database_now())
            case.revision += 1
            case.save()
            write(case, CaseEventKind.VOID, user=None, decision=approval.decision)
    return True


def _tell(case: Case, event: Event, people: list[User], *, approval: Approval, by: User, words: str) -> None:
    effect = EFFECTS[Decision(approval.decision)].result
    announce(
        project=case.project,
        event=event,
        data=told_of(
            case,
            by=by.get_full_name() or by.username,
            effect=effect,
            words=words.strip(),
            decision=approval.decision,
        ),
        people=people,
    )

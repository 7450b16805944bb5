"""Proposals that wait for somebody's answer."""

from __future__ import annotations

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.fetch import approval_of, case_of
from once_delivery.web.permits import may_decide_cases
from once_delivery.web.selectors.approvals import approvals_page
from once_delivery.web.views.case_acts import Step, carry_out
from reconciliation.models import ApprovalStatus, CaseEventKind
from reconciliation.services.approvals import answer as answer_service
from reconciliation.services.approvals import may_answer
from reconciliation.services.approvals import withdraw as withdraw_service


@require_safe
@signed_in
def approvals(request: MemberRequest) -> HttpResponse:
    """What waits for my answer, the most urgent first, and what I answered last."""
    return render(request, "web/approvals.html", {"page": approvals_page(request.user)})


@require_POST
@signed_in
def answer(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Approve, or not. An answer that the same person gave already is not asked for again."""
    case = case_of(request.user, uuid)
    approval = approval_of(request.user, case, request.POST.get("approval", ""))
    if not may_answer(request.user, approval):
        raise PermissionDenied
    agree = request.POST.get("agree") == "yes"
    words = request.POST.get("words", "")
    kind = CaseEventKind.APPROVED if agree else CaseEventKind.DENIED
    said = _("Approved; it is carried out.") if agree else _("Not approved; the case is back with its owner.")
    step = Step(kind, said, words, {"decision": approval.decision}, wakes=agree)
    if approval.status != ApprovalStatus.ASKED and approval.answered_by_id == request.user.pk:
        given = approval.status == ApprovalStatus.GIVEN
        if given == agree:
            return carry_out(request, case, Step(kind, said), lambda: None)
    return carry_out(
        request,
        case,
        step,
        lambda: answer_service(approval=approval, user=request.user, agree=agree, words=words),
    )


@require_POST
@signed_in
def withdraw(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Take a proposal back, one's own or that of somebody who has gone: whoever decides here may."""
    case = case_of(request.user, uuid)
    if not may_decide_cases(request.user, case.project):
        raise PermissionDenied
    approval = approval_of(request.user, case, request.POST.get("approval", ""))
    words = request.POST.get("words", "")
    step = Step(
        CaseEventKind.WITHDRAWN,
        _("Withdrawn; nobody is asked any more."),
        words,
        {"decision": approval.decision},
    )
    return carry_out(
        request, case, step, lambda: withdraw_service(approval=approval, user=request.user, words=words)
    )

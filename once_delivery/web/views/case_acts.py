"""What an ops owner does with a case. Each form says which state of the case it was made for (compare-and-set)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from once_delivery.accounts.models import User
from once_delivery.common.digits import INTEGER, whole_number
from once_delivery.common.errors import DomainError
from once_delivery.common.moments import moment_of
from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.fetch import case_of
from once_delivery.web.permits import may_decide_cases
from once_delivery.web.selectors.case_events import did_already
from once_delivery.web.selectors.queue_filter import deciders_of
from once_delivery.web.views.case_page import Trouble, show_case
from once_delivery.web.views.waking import wake_target
from reconciliation.decisions import Decision
from reconciliation.models import Case, CaseEventKind
from reconciliation.services.approvals import propose as propose_service
from reconciliation.services.decide_case import decide_case
from reconciliation.services.undo_step import undo
from reconciliation.services.work_on_case import comment as comment_service
from reconciliation.services.work_on_case import hand_over, look_again, snooze

FORBIDDEN = frozenset({"not-yours-to-decide", "not-yours-to-approve"})


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do: what it leaves as an event, and what is said when it is done."""

    kind: CaseEventKind
    said: str
    words: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    wakes: bool = False  # there is work at the target now


@require_POST
@signed_in
def decide(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Decide, or propose where somebody else must agree: the form says which of the two its button promised."""
    case = _mine(request, uuid)
    decision = _decision(request)
    typed = {
        "result_id": _result_id(request) if decision == Decision.ADOPT else "",
        "words": request.POST.get("words", ""),
    }
    data = {"decision": str(decision), "result_id": typed["result_id"]}
    if request.POST.get("how") == "propose":
        step = Step(
            CaseEventKind.ASKED, _("Proposed. Those who may answer have been told."), typed["words"], data
        )
        service: Callable[..., object] = propose_service
    else:
        step = Step(CaseEventKind.DECIDED, _("Decided."), typed["words"], data, wakes=True)
        service = decide_case
    return carry_out(
        request,
        case,
        step,
        lambda: service(
            case=case, decision=decision, user=request.user, revision=revision_of(request), **typed
        ),
    )


@require_POST
@signed_in
def hand(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Hand the case over to somebody who decides."""
    case = _mine(request, uuid)
    to = _member(case, request.POST.get("to", ""))
    words = request.POST.get("words", "")
    step = Step(CaseEventKind.HANDED, _("Handed over."), words, {"to": to.pk})
    return carry_out(
        request,
        case,
        step,
        lambda: hand_over(case=case, to=to, user=request.user, words=words, revision=revision_of(request)),
    )


@require_POST
@signed_in
def put_off(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Put the case off until a moment, with a reason."""
    case = _mine(request, uuid)
    until, reason = _moment(request.POST.get("until", "")), request.POST.get("reason", "")
    said = _("Put off. It is hidden from the queue until then; its clock runs on.")
    step = Step(CaseEventKind.SNOOZED, said, reason, {"until": until.isoformat()})
    return carry_out(
        request,
        case,
        step,
        lambda: snooze(
            case=case, until=until, reason=reason, user=request.user, revision=revision_of(request)
        ),
    )


@require_POST
@signed_in
def comment(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Say something about the case; every member may."""
    case = case_of(request.user, uuid)
    text = request.POST.get("text", "")
    step = Step(CaseEventKind.COMMENTED, _("Your comment stands with the case."), text)
    if _done(request, case, step):
        return _back(request, case, step)  # the same words, sent twice
    return carry_out(request, case, step, lambda: comment_service(case=case, user=request.user, text=text))


@require_POST
@signed_in
def look(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Have the target asked again; this only reads."""
    case = _mine(request, uuid)
    step = Step(CaseEventKind.LOOKED, _("The target is asked again. This only reads."), wakes=True)
    if _done(request, case, step):
        return _back(request, case, step)
    return carry_out(request, case, step, lambda: look_again(case=case, user=request.user))


@require_POST
@signed_in
def take_back(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Undo one's own last handing over or putting off."""
    case = _mine(request, uuid)
    step = Step(CaseEventKind.UNDONE, _("Undone."))
    return carry_out(request, case, step, lambda: undo(case=case, user=request.user))


def carry_out(request: MemberRequest, case: Case, step: Step, act: Callable[[], object]) -> HttpResponse:
    """Do it and lead back to the case; when it cannot be done, show why with what was typed.

    What the same person has done already since their page was made is not an error: it is done.
    """
    try:
        act()
    except DomainError as error:
        if error.code in FORBIDDEN:
            raise PermissionDenied from error
        if _done(request, case, step):
            return _back(request, case, step)
        trouble = Trouble(error, typed=request.POST.dict(), seen=seen_of(request))
        return show_case(request, case, trouble=trouble)
    if step.wakes:
        wake_target(request, case.action.target_id)
    return _back(request, case, step)


def revision_of(request: MemberRequest) -> int:
    """The state of the case that the form was made for; one that no case has when it is missing."""
    revision = whole_number(request.POST.get("revision", ""), most=INTEGER)
    return -1 if revision is None else revision


def seen_of(request: MemberRequest) -> int:
    """The last event that the form's page showed."""
    return whole_number(request.POST.get("seen", "")) or 0


def _back(request: MemberRequest, case: Case, step: Step) -> HttpResponse:
    messages.success(request, step.said)
    return redirect("web:case", uuid=case.uuid)


def _done(request: MemberRequest, case: Case, step: Step) -> bool:
    return did_already(
        case, request.user, seen=seen_of(request), kind=step.kind, words=step.words, data=step.data
    )


def _mine(request: MemberRequest, uuid: UUID) -> Case:
    case = case_of(request.user, uuid)
    if not may_decide_cases(request.user, case.project):
        raise PermissionDenied
    return case


def _decision(request: MemberRequest) -> Decision:
    try:
        return Decision(request.POST.get("decision", ""))
    except ValueError:
        raise PermissionDenied from None  # no page of the house sends it


def _result_id(request: MemberRequest) -> str:
    """Another one when it was typed, else the chosen candidate."""
    return request.POST.get("other", "").strip() or request.POST.get("candidate", "").strip()


def _member(case: Case, username: str) -> User:
    found = next((one for one in deciders_of([case.project]) if one.username == username), None)
    if found is None:
        raise PermissionDenied  # the page offers only those who decide
    return found


def _moment(text: str) -> datetime:
    """In the person's zone; the past for what is no moment, which the service refuses."""
    found = moment_of(text)
    if found is None:
        return timezone.now()
    return timezone.make_aware(found) if timezone.is_naive(found) else found

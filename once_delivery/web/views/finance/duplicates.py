"""Duplicates: what was found or suggested, and a person's decision about it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from billing.models import Cause, Duplicate
from billing.pairs import mark_of
from billing.services.decide_duplicate import CAUSES
from billing.services.judge_cause import NEEDS_APPROVAL
from billing.services.judge_duplicate import (
    agree_to_judgement,
    judge_duplicate,
    why_dropped,
    withdraw_judgement,
)
from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError
from once_delivery.ui.doors import MemberRequest
from once_delivery.web.project_door import for_finance
from once_delivery.web.selectors.finance.duplicates import (
    approval_by,
    approvals_for,
    decisions_about,
    duplicate_of,
    duplicates_of,
    other_pairs_of,
    proposal_of,
    units_of,
)

WRONG = 422


@require_safe
@for_finance
def duplicates(request: MemberRequest, project: Project) -> HttpResponse:
    """The pairs that wait, or those that were decided."""
    found = duplicates_of(project, request.GET.dict())
    return render(request, "web/finance/duplicates.html", {"project": project, "found": found})


@require_http_methods(["GET", "HEAD", "POST"])
@for_finance
def duplicate(request: MemberRequest, project: Project, pk: int) -> HttpResponse:
    """Both assets side by side, and the decision."""
    found = duplicate_of(project, pk)
    typed = {"how": "", "cause": "", "record": "", "approval": ""}
    said, status = "", 200
    if request.method == "POST":
        typed = {name: request.POST.get(name, "") for name in typed}
        try:
            done = _act(request, found, typed)
        except DomainError as error:
            said, status = error.message, WRONG
            found = duplicate_of(project, pk)
        else:
            messages.success(request, done)
            return redirect("web:finance-duplicates", code=project.code)
    approvals, proposal, units = approvals_for(project), proposal_of(found), units_of(found)
    page = {
        "project": project,
        "found": found,
        "units": units[found.asset_id],
        "units_of_earlier": units[found.survivor_id],
        "decisions": decisions_about(found),
        "others": other_pairs_of(found),
        "causes": [
            cause for cause in Cause if cause in CAUSES and (approvals or cause not in NEEDS_APPROVAL)
        ],
        "approvals": approvals,
        "typed": typed,
        "said": said,
        "proposal": proposal,
        "dropped": why_dropped(proposal, found) if proposal else None,
        "currency": project.books.currency,
        "mark": mark_of(found),
        "me": request.user,
    }
    return render(request, "web/finance/duplicate.html", page, status=status)


def _act(request: MemberRequest, found: Duplicate, typed: dict[str, str]) -> str:
    match request.POST.get("act", ""):
        case "agree":
            agree_to_judgement(duplicate=found, user=request.user, seen=request.POST.get("seen", ""))
            return _("Decided, by two people. Units and cost follow it.")
        case "withdraw":
            withdraw_judgement(duplicate=found, user=request.user)
            return _("Nothing is proposed for it any more.")
    waits = judge_duplicate(
        duplicate=found,
        how=typed["how"],
        cause=Cause(typed["cause"]) if typed["cause"] in CAUSES else Cause.UNDETERMINED,
        record=typed["record"],
        user=request.user,
        approval=approval_by(found.project, typed["approval"]),
        seen=request.POST.get("pair", ""),
    )
    if waits is not None:
        return _("Proposed. This much takes a second person of finance, who agrees on this pair's page.")
    return _("Decided. Units and cost follow it.")

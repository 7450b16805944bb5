"""Duplicates: what was found or suggested, and a person's decision about it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from billing.models import Cause
from billing.services.decide_duplicate import CAUSES, decide_duplicate, dismiss_duplicate
from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError
from once_delivery.ui.doors import MemberRequest
from once_delivery.web.books import for_finance
from once_delivery.web.selectors.finance.duplicates import (
    approval_by,
    approvals_for,
    duplicate_of,
    duplicates_of,
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
    typed = {"how": "", "cause": "", "record": found.record, "approval": ""}
    said, status = "", 200
    if request.method == "POST":
        typed = {name: request.POST.get(name, "") for name in typed}
        try:
            if typed["how"] == "dismiss":
                dismiss_duplicate(duplicate=found, user=request.user, record=typed["record"])
            else:
                decide_duplicate(
                    asset=found.asset,
                    survivor=found.survivor,
                    user=request.user,
                    cause=Cause(typed["cause"]) if typed["cause"] in CAUSES else Cause.UNDETERMINED,
                    record=typed["record"],
                    wanted=typed["how"] == "wanted",
                    approval=approval_by(project, typed["approval"]),
                )
        except DomainError as error:
            said, status = error.message, WRONG
        else:
            messages.success(request, _("Decided. Units and cost follow it."))
            return redirect("web:finance-duplicates", code=project.code)
    page = {
        "project": project,
        "found": found,
        "causes": [cause for cause in Cause if cause in CAUSES],
        "approvals": approvals_for(project),
        "typed": typed,
        "said": said,
    }
    return render(request, "web/finance/duplicate.html", page, status=status)

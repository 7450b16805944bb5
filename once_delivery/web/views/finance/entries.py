"""The entries of the ledger of costs: from a figure down to the line that caused it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from billing.models import Bearer, Cause, CostEntry
from billing.reports.scope import BadScopeError
from billing.services.change_entry import Change, agree_to_change, change_entry, withdraw_change
from billing.services.judge_cause import NEEDS_APPROVAL
from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError
from once_delivery.ui.doors import MemberRequest
from once_delivery.web.project_door import for_finance
from once_delivery.web.selectors.finance.entries import entries_of, entry_of

WRONG = 422


@require_safe
@for_finance
def entries(request: MemberRequest, project: Project) -> HttpResponse:
    """The entries that the address narrows to, newest first."""
    try:
        found = entries_of(project, request.GET.dict())
    except BadScopeError:
        return redirect("web:finance-entries", code=project.code)
    return render(request, "web/finance/entries.html", {"project": project, "found": found})


@require_http_methods(["GET", "HEAD", "POST"])
@for_finance
def entry(request: MemberRequest, project: Project, pk: int) -> HttpResponse:
    """One entry with its evidence, its supplier's line, its attempt, what was made of it later, and changing it."""
    found = entry_of(project, pk)
    typed = {name: request.POST.get(name, "") for name in ("change", "bearer", "cause", "words")}
    said, status = "", 200
    if request.method == "POST":
        try:
            done = _act(request, found.entry, typed)
        except DomainError as error:
            said, status = error.message, WRONG
            found = entry_of(project, pk)
        else:
            messages.success(request, done)
            return redirect("web:finance-entry", code=project.code, pk=pk)
    page = {
        "project": project,
        "found": found,
        "bearers": list(Bearer),
        "causes": list(Cause),
        "needs_approval": NEEDS_APPROVAL,
        "typed": typed,
        "said": said,
        "me": request.user,
    }
    return render(request, "web/finance/entry.html", page, status=status)


def _act(request: MemberRequest, entry: CostEntry, typed: dict[str, str]) -> str:
    match request.POST.get("act", ""):
        case "agree":
            agree_to_change(entry=entry, user=request.user, seen=request.POST.get("seen", ""))
            return _("Done, by two people.")
        case "withdraw":
            withdraw_change(entry=entry, user=request.user)
            return _("Nothing is proposed for it any more.")
    change = typed["change"]
    to = typed["cause"] if change == Change.CAUSE else typed["bearer"] if change == Change.BEARER else ""
    waits = change_entry(entry=entry, change=change, to=to, words=typed["words"], user=request.user)
    if waits is not None:
        return _("Proposed. This much takes a second person of finance, who agrees on this entry's page.")
    return _("Done. The entry stays; others say what has changed.")

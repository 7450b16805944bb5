"""The entries of the ledger of costs: from a figure down to the line that caused it."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from billing.reports.scope import BadScopeError
from once_delivery.accounts.models import Project
from once_delivery.ui.doors import MemberRequest
from once_delivery.web.books import for_finance
from once_delivery.web.selectors.finance.entries import entries_of, entry_of


@require_safe
@for_finance
def entries(request: MemberRequest, project: Project) -> HttpResponse:
    """The entries that the address narrows to, newest first."""
    try:
        found = entries_of(project, request.GET.dict())
    except BadScopeError:
        return redirect("web:finance-entries", code=project.code)
    return render(request, "web/finance/entries.html", {"project": project, "found": found})


@require_safe
@for_finance
def entry(request: MemberRequest, project: Project, pk: int) -> HttpResponse:
    """One entry with its evidence, its supplier's line, its attempt, and what was made of it later."""
    return render(request, "web/finance/entry.html", {"project": project, "found": entry_of(project, pk)})

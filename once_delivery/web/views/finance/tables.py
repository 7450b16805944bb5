"""Every report as a table, with what each column means."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from billing.reports.registry import UnknownReportError, report_of
from billing.reports.scope import BadScopeError
from billing.services.post_entries import NoBooksError
from once_delivery.accounts.models import Project
from once_delivery.ui.doors import MemberRequest
from once_delivery.web.project_door import for_finance
from once_delivery.web.selectors.finance.tables import table_of


@require_safe
@for_finance
def table(request: MemberRequest, project: Project, report: str) -> HttpResponse:
    """The beginning of one report, for the months that the address names."""
    try:
        found = table_of(report_of(report), project, request.GET.dict())
    except UnknownReportError:
        raise Http404 from None
    except (BadScopeError, NoBooksError):
        return redirect("web:finance", code=project.code)
    return render(
        request, "web/finance/table.html", {"project": project, "found": found, "asked": request.GET}
    )

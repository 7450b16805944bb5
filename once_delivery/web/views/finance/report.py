"""The cost report, and the projects that have one."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from billing.people import KEEPERS
from billing.reports.scope import BadScopeError, Dimension
from billing.services.open_books import open_books
from billing.services.post_entries import NoBooksError
from once_delivery.accounts.models import Membership, Project
from once_delivery.common.errors import DomainError
from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.project_door import for_finance
from once_delivery.web.selectors.finance.assets import assets_of
from once_delivery.web.selectors.finance.report import TO_DATE, parts_of, report_of

WRONG = 422
PARTS = "parts"  # in an address: wait for everything


@require_safe
@signed_in
def books(request: MemberRequest) -> HttpResponse:
    """The projects whose books the person keeps; where it is one, its report."""
    kept = list(
        Membership.objects.filter(user=request.user, role__in=KEEPERS)
        .select_related("project__client")
        .order_by("project__name")
    )
    if len(kept) == 1:
        return redirect("web:finance", code=kept[0].project.code)
    return render(request, "web/finance/books.html", {"memberships": kept})


@require_http_methods(["GET", "HEAD", "POST"])
@for_finance
def report(request: MemberRequest, project: Project) -> HttpResponse:
    """One month of a project, from the viewpoint and on the basis that the address names; or opening its books."""
    said, wrong = "", 0
    if request.method == "POST":
        try:
            open_books(project=project, currency=request.POST.get("currency", "").strip().upper())
        except DomainError as error:
            said, wrong = error.message, WRONG
        else:
            return redirect("web:finance", code=project.code)
    try:
        found = report_of(project, request.GET.dict())
    except NoBooksError:
        page = {"project": project, "said": said}
        return render(request, "web/finance/no_books.html", page, status=wrong or 200)
    except BadScopeError:
        return redirect("web:finance", code=project.code)
    # a long report answers first, and asks for its parts when it is shown
    later = found.is_long and not request.htmx and PARTS not in request.GET
    page = {
        "project": project,
        "report": found,
        "parts": None if later else parts_of(found),
        "asked": {name: value for name, value in request.GET.items() if name != PARTS},
        "dimensions": list(Dimension),
        "to_date": TO_DATE,
    }
    name = "web/finance/_parts.html" if request.htmx else "web/finance/report.html"
    return render(request, name, page)


@require_safe
@for_finance
def assets(request: MemberRequest, project: Project) -> HttpResponse:
    """What each asset cost, and what no asset did."""
    try:
        found = assets_of(project, request.GET.dict())
    except (NoBooksError, BadScopeError):
        return redirect("web:finance", code=project.code)
    return render(request, "web/finance/assets.html", {"project": project, "found": found})

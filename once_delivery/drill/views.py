"""Drills: starting one, following it, and its report."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from once_delivery.accounts.access import projects_of
from once_delivery.common.digits import whole_number
from once_delivery.common.errors import DomainError
from once_delivery.drill import tasks
from once_delivery.drill.models import Drill
from once_delivery.drill.report import context
from once_delivery.drill.services.ask_drill import ask_drill
from once_delivery.drill.wanting import MOST_LOCALES, wishes_of
from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.ui.downloads import saved_as
from once_delivery.ui.waking import wake

SHOWN = 50
CONFLICT = 409
_TOUR = "drill_tour"
_YEAR_S = 365 * 24 * 3600


@require_safe
@signed_in
def drills(request: MemberRequest) -> HttpResponse:
    """How a drill works (open on the first visit), starting one, and the latest of my projects."""
    response = _list(request)
    if _TOUR not in request.COOKIES:
        response.set_cookie(
            _TOUR,
            "seen",
            max_age=_YEAR_S,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
        )
    return response


@require_POST
@signed_in
def start(request: MemberRequest) -> HttpResponse:
    """Ask for a drill; what it makes stood beside the choice."""
    wishes = {one.value: one for one in wishes_of(request.user)}
    if not wishes:
        raise PermissionDenied
    wish = wishes.get(request.POST.get("what", ""))
    if wish is None:
        raise Http404
    locales = whole_number(request.POST.get("locales", ""), most=99) or 1
    try:
        drill = ask_drill(
            project=wish.project,
            target=wish.target,
            locales=max(1, min(MOST_LOCALES, locales)),
            user=request.user,
        )
    except DomainError as error:
        return _list(request, error=error.message, status=CONFLICT)
    wake(request, tasks.run_drill, drill.pk)
    return redirect("drill:report", uuid=drill.uuid)


@require_safe
@signed_in
def drill_report(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """One report as a page that prints well; while it runs, the part "live" is fetched again."""
    page = context(_drill(request, uuid))
    if request.htmx and not page["running"]:
        return HttpResponseClientRefresh()  # the whole page has the verdict and the buttons of a report
    return render(request, f"drill/report.html{'#live' if request.htmx else ''}", page)


@require_safe
@signed_in
def drill_json(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """One report for machines."""
    report = _drill(request, uuid).report
    answer = JsonResponse(report, json_dumps_params={"ensure_ascii": False, "indent": 2})
    return saved_as(answer, f"drill-{uuid}.json")


@require_safe
@signed_in
def drill_file(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """One report as a file that stands alone; always a download, so that its style never meets our CSP."""
    page = render_to_string("drill/report_file.html", context(_drill(request, uuid)))
    return saved_as(HttpResponse(page), f"drill-{uuid}.html")


def _list(request: MemberRequest, *, error: str = "", status: int = 200) -> HttpResponse:
    found = Drill.objects.filter(project__in=projects_of(request.user)).select_related(
        "project", "started_by"
    )
    page = {
        "drills": found.order_by("-started_at")[:SHOWN],
        "wishes": wishes_of(request.user),
        "locales": range(1, MOST_LOCALES + 1),
        "chosen": request.POST.get("what") or request.GET.get("target", ""),
        "first_visit": _TOUR not in request.COOKIES,
        "error": error,
    }
    return render(request, "drill/list.html", page, status=status)


def _drill(request: MemberRequest, uuid: UUID) -> Drill:
    found = (
        Drill.objects.filter(project__in=projects_of(request.user), uuid=uuid)
        .select_related("project", "started_by")
        .first()
    )
    if found is None:
        raise Http404
    return found

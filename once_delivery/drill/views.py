"""Drills that were run, and their reports."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from once_delivery.accounts.access import projects_of
from once_delivery.drill.models import Drill
from once_delivery.drill.report import context
from once_delivery.ui.doors import MemberRequest, signed_in

SHOWN = 50


@require_safe
@signed_in
def drills(request: MemberRequest) -> HttpResponse:
    """The latest drills of my projects."""
    found = Drill.objects.filter(project__in=projects_of(request.user)).select_related(
        "project", "started_by"
    )
    return render(request, "drill/list.html", {"drills": found.order_by("-started_at")[:SHOWN]})


@require_safe
@signed_in
def drill_report(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """One report as a page that prints well."""
    return render(request, "drill/report.html", context(_drill(request, uuid)))


@require_safe
@signed_in
def drill_json(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """One report for machines."""
    response = JsonResponse(
        _drill(request, uuid).report, json_dumps_params={"ensure_ascii": False, "indent": 2}
    )
    response["Content-Disposition"] = f'attachment; filename="drill-{uuid}.json"'
    return response


@require_safe
@signed_in
def drill_file(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """One report as a file that stands alone; always a download, so that its style never meets our CSP."""
    page = render_to_string("drill/report_file.html", context(_drill(request, uuid)))
    response = HttpResponse(page)
    response["Content-Disposition"] = f'attachment; filename="drill-{uuid}.html"'
    return response


def _drill(request: MemberRequest, uuid: UUID) -> Drill:
    found = (
        Drill.objects.filter(project__in=projects_of(request.user), uuid=uuid)
        .select_related("project")
        .first()
    )
    if found is None:
        raise Http404
    return found

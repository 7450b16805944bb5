"""What needs a person: the queue, and one case. Deciding is not part of these pages yet."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.fetch import case_of
from once_delivery.web.selectors.case import evidence_of
from once_delivery.web.selectors.cases import VIEWS, case_page


@require_safe
@signed_in
def cases(request: MemberRequest) -> HttpResponse:
    """The queue, the most urgent first."""
    view = request.GET.get("view", "")
    view = view if view in VIEWS else "open"
    project = request.GET.get("project", "")
    page = case_page(request.user, view=view, project_code=project, key=request.GET.get("after", ""))
    return render(request, "web/cases.html", {"page": page, "view": view, "project_code": project})


@require_safe
@signed_in
def case(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """One case with the evidence that the system attached."""
    found = case_of(request.user, uuid)
    return render(
        request, "web/case.html", {"case": found, "project": found.project, "evidence": evidence_of(found)}
    )

"""Batches, and one of them: runs beside deliveries."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.fetch import batch_of
from once_delivery.web.permits import may_resume
from once_delivery.web.selectors.batch import batch_now
from once_delivery.web.selectors.batches import batch_page
from once_delivery.web.selectors.imports import importable

UNCHANGED = 204  # htmx leaves the page as it is


@require_safe
@signed_in
def batches(request: MemberRequest) -> HttpResponse:
    """All batches of my projects, newest first."""
    project = request.GET.get("project", "")
    trouble = request.GET.get("view") == "trouble"
    page, rows = batch_page(
        request.user, project_code=project, trouble=trouble, key=request.GET.get("before", "")
    )
    return render(
        request,
        "web/batches.html",
        {
            "page": page,
            "rows": rows,
            "trouble": trouble,
            "project_code": project,
            "may_import": importable(request.user).exists(),
        },
    )


@require_safe
@signed_in
def batch(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """One batch. Its part that changes is fetched again from the same address while something moves."""
    found = batch_of(request.user, uuid)
    key = request.GET.get("after", "")
    now = batch_now(found, key=key)
    if request.htmx and request.GET.get("seen") == now.version:
        return HttpResponse(status=UNCHANGED)
    page = {
        "batch": found,
        "project": found.project,
        "now": now,
        "key": key,
        "may_resume": may_resume(request.user, found.project),
    }
    return render(request, "web/batch.html#live" if request.htmx else "web/batch.html", page)

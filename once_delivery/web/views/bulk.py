"""Many cases decided alike: choose, see the plan, carry it out, see what became of each."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from once_delivery.common.digits import whole_number
from once_delivery.common.errors import DomainError
from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.fetch import bulk_of
from once_delivery.web.permits import may_decide_cases
from once_delivery.web.selectors.bulk import bulk_now, chosen_cases
from once_delivery.web.views.waking import wake_bulk
from reconciliation.decisions import Decision
from reconciliation.models import BulkDecision, BulkStatus
from reconciliation.services.decide_many import BulkOverError, begin_bulk, cancel_bulk, plan_bulk

UNCHANGED = 204  # htmx leaves the page as it is


@require_POST
@signed_in
def plan(request: MemberRequest) -> HttpResponse:
    """Make a plan for the chosen cases. Nothing is decided yet."""
    try:
        decision = Decision(request.POST.get("decision", ""))
    except ValueError:
        messages.warning(request, _("Choose what to decide."))
        return redirect("web:cases")
    cases = chosen_cases(request.user, request.POST.getlist("case"))
    if not cases:
        messages.warning(request, _("Choose at least one case first."))
        return redirect("web:cases")
    projects = {case.project_id: case.project for case in cases}
    project = next((one for one in projects.values() if may_decide_cases(request.user, one)), None)
    if project is None:
        raise PermissionDenied
    try:
        made, _excluded = plan_bulk(project=project, cases=cases, decision=decision, user=request.user)
    except DomainError as error:
        messages.error(request, error.message)
        return redirect("web:cases")
    return redirect("web:bulk", uuid=made.uuid)


@require_safe
@signed_in
def bulk(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """The plan, its progress, its result: one address, fetched again while it runs."""
    found = bulk_of(request.user, uuid)
    first = whole_number(request.GET.get("from", ""), most=9999) or 0
    now = bulk_now(found, request.user, first=first)
    if request.htmx and request.GET.get("seen") == now.version:
        return HttpResponse(status=UNCHANGED)
    context = {
        "bulk": found,
        "project": found.project,
        "now": now,
        "is_mine": found.user_id == request.user.pk,
        "may_cancel": may_decide_cases(request.user, found.project),
    }
    return render(request, "web/_bulk.html" if request.htmx else "web/bulk.html", context)


@require_POST
@signed_in
def run(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Carry the plan out. A second click finds it under way and says nothing."""
    found = _decided_here(request, uuid)
    try:
        begin_bulk(bulk=found, user=request.user)
    except BulkOverError as error:
        found.refresh_from_db()
        if found.status == BulkStatus.CANCELLED:
            messages.warning(request, error.message)
    except DomainError as error:
        raise PermissionDenied from error  # it is decided in the name of who made the plan
    else:
        wake_bulk(request, found.pk)
    return redirect("web:bulk", uuid=found.uuid)


@require_POST
@signed_in
def cancel(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Stop before the next case; what was decided stays."""
    found = _decided_here(request, uuid)
    try:
        cancel_bulk(bulk=found)
    except BulkOverError as error:
        found.refresh_from_db()
        if found.status == BulkStatus.DONE:
            messages.warning(request, error.message)
    return redirect("web:bulk", uuid=found.uuid)


def _decided_here(request: MemberRequest, uuid: UUID) -> BulkDecision:
    found = bulk_of(request.user, uuid)
    if not may_decide_cases(request.user, found.project):
        raise PermissionDenied
    return found

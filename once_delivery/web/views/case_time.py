"""Measuring the time that a person works on a case: by a script while the page is open, by buttons without it."""

from __future__ import annotations

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.fetch import case_of
from once_delivery.web.permits import may_decide_cases
from reconciliation.models import Case, CaseStatus
from reconciliation.services.measure_time import note_working, pause_timing, seconds_on, start_timing


@require_POST
@signed_in
def measure(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """``do``: start, beat or pause. A script gets JSON: whether time runs on this case, and all that was measured."""
    case = case_of(request.user, uuid)
    if not may_decide_cases(request.user, case.project):
        raise PermissionDenied
    running = _measured(request, case)
    if request.POST.get("by") == "script":
        return JsonResponse({"running": running, "seconds": seconds_on(case)})
    return redirect("web:case", uuid=case.uuid)


def _measured(request: MemberRequest, case: Case) -> bool:
    what = request.POST.get("do", "")
    if what == "pause" or case.status != CaseStatus.OPEN:
        pause_timing(user=request.user, case=case)
        return False
    if what == "start":
        start_timing(case=case, user=request.user)
        return True
    return note_working(case=case, user=request.user)

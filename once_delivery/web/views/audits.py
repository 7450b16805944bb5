"""Audits: asking for one, watching it, reading what it found, and saying why a finding is all right."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from once_delivery.common.errors import DomainError, InvalidInputError
from once_delivery.targets.models import ErrandKind
from once_delivery.targets.services.errands import ask_errand
from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.ui.waking import wake
from once_delivery.web.fetch import audit_of, finding_of, target_of
from once_delivery.web.permits import may_change_targets
from once_delivery.web.selectors.audits import (
    STATES,
    audit_errand,
    audit_now,
    audits_page,
    can_list_changes,
    csv_rows,
    filtered,
    rows_of,
    standing_at,
)
from once_delivery.web.views.csv_files import csv_file
from reconciliation import tasks
from reconciliation.services.explain_finding import explain_finding

CHANGED, WRONG = 409, 422


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def audits(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """The audits of a target, and asking for one: of everything, of changes alone, or going on."""
    found = target_of(request.user, uuid)
    allowed = may_change_targets(request.user, found.project)
    if request.method == "POST":
        if not allowed:
            raise PermissionDenied
        what = request.POST.get("what", "")
        errand, new = ask_errand(
            target=found,
            kind=ErrandKind.AUDIT,
            user=request.user,
            options={"changes": what == "changes", "go_on": what == "go-on"},
        )
        _wake(request, errand.pk, new=new)
        return redirect("web:audits", uuid=found.uuid)
    page = {
        "target": found,
        "project": found.project,
        "page": audits_page(found, key=request.GET.get("before", "")),
        "now": audit_errand(found),
        "may_change": allowed,
        "changes": can_list_changes(found),
    }
    part = "#live" if request.htmx else ""
    return render(request, f"web/targets/audits.html{part}", page)


@require_safe
@signed_in
def audit(request: MemberRequest, uuid: UUID, audit_uuid: UUID) -> HttpResponse:
    """One audit: its counts and its findings."""
    found = target_of(request.user, uuid)
    one = audit_of(request.user, found, audit_uuid)
    kind, state = _filters(request)
    now = audit_now(one, found, kind=kind, state=state, key=request.GET.get("before", ""))
    page = {"target": found, "project": found.project, "now": now, "kind": kind, "state": state}
    part = "#live" if request.htmx else ""
    return render(request, f"web/targets/audit.html{part}", page)


@require_safe
@signed_in
def findings_csv(request: MemberRequest, uuid: UUID, audit_uuid: UUID) -> HttpResponse:
    """The findings as a file, as they are filtered on the page; streamed, however many there are."""
    found = target_of(request.user, uuid)
    one = audit_of(request.user, found, audit_uuid)
    kind, state = _filters(request)
    rows = csv_rows(filtered(standing_at(one), kind=kind, state=state))
    return csv_file(f"findings-{found.name}-{one.uuid.hex[:8]}.csv", rows)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def finding(request: MemberRequest, uuid: UUID, finding_uuid: UUID) -> HttpResponse:
    """One finding with its evidence; a person may explain it."""
    found = target_of(request.user, uuid)
    one = finding_of(request.user, found, finding_uuid)
    allowed = may_change_targets(request.user, found.project)
    status, error = 200, ""
    if request.method == "POST":
        if not allowed:
            raise PermissionDenied
        try:
            explain_finding(finding=one, user=request.user, text=request.POST.get("text", ""))
        except InvalidInputError as problem:
            status, error = WRONG, problem.message
        except DomainError as refused:
            status, error = CHANGED, refused.message
        else:
            messages.success(request, _("Explained. It asks for nothing any more, and stays in the record."))
            return redirect("web:finding", uuid=found.uuid, finding_uuid=one.uuid)
        one = finding_of(request.user, found, finding_uuid)
    page = {
        "target": found,
        "project": found.project,
        "row": rows_of([one])[0],
        "may_change": allowed,
        "error": error,
        "text": request.POST.get("text", ""),
    }
    return render(request, "web/targets/finding.html", page, status=status)


def _filters(request: MemberRequest) -> tuple[str, str]:
    state = request.GET.get("state", "open")
    return request.GET.get("kind", ""), state if state in STATES else "open"


def _wake(request: MemberRequest, errand_id: int, *, new: bool) -> None:
    if not new:
        messages.info(request, _("This is under way already; nothing was started a second time."))
        return
    wake(request, tasks.run_audit, errand_id)

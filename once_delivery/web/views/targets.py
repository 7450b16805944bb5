"""Targets: the list, one of them, its connection test and its probe."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from once_delivery.accounts.access import projects_of
from once_delivery.ledger import tasks
from once_delivery.targets.models import Errand, ErrandKind, Target
from once_delivery.targets.services.errands import ask_errand
from once_delivery.ui import waking
from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.fetch import target_of
from once_delivery.web.permits import RESUMERS, may_change_targets
from once_delivery.web.selectors.target import open_errand, probe_forecast, target_now
from once_delivery.web.selectors.targets import target_page

UNCONFIRMED = 422


@require_safe
@signed_in
def targets(request: MemberRequest) -> HttpResponse:
    """All targets of my projects."""
    project = request.GET.get("project", "")
    page = target_page(request.user, project_code=project, key=request.GET.get("after", ""))
    mine = projects_of(request.user).filter(memberships__user=request.user, memberships__role__in=RESUMERS)
    return render(
        request,
        "web/targets/list.html",
        {"page": page, "project_code": project, "may_add": mine.exists()},
    )


@require_safe
@signed_in
def target(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """One target; htmx fetches the part "live" again while something is at work there."""
    found = target_of(request.user, uuid)
    page = {
        "target": found,
        "project": found.project,
        "now": target_now(found),
        "may_change": may_change_targets(request.user, found.project),
    }
    part = "#live" if request.htmx else ""
    return render(request, f"web/targets/target.html{part}", page)


@require_POST
@signed_in
def check(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Ask for a connection test."""
    found = _changeable(request, uuid)
    errand, new = ask_errand(target=found, kind=ErrandKind.CHECK, user=request.user)
    wake(request, errand, new=new)
    return redirect("web:target", uuid=found.uuid)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def probe(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Say what a probe makes and removes; ask for it. Where it is no test target somebody has to confirm it."""
    found = _changeable(request, uuid)
    confirmed = request.POST.get("confirmed") == "yes"
    missing = request.method == "POST" and not (found.is_test or confirmed)
    if request.method == "POST" and not missing:
        errand, new = ask_errand(
            target=found, kind=ErrandKind.PROBE, user=request.user, options={"confirmed": confirmed}
        )
        wake(request, errand, new=new)
        return redirect("web:target", uuid=found.uuid)
    page = {
        "target": found,
        "project": found.project,
        "forecast": probe_forecast(found),
        "running": open_errand(found, ErrandKind.PROBE),
        "missing": missing,
    }
    return render(request, "web/targets/probe.html", page, status=UNCONFIRMED if missing else 200)


def _changeable(request: MemberRequest, uuid: UUID) -> Target:
    found = target_of(request.user, uuid)
    if not may_change_targets(request.user, found.project):
        raise PermissionDenied
    return found


def wake(request: MemberRequest, errand: Errand, *, new: bool) -> None:
    """Tell a worker of an errand that is new."""
    if not new:
        messages.info(request, _("This is under way already; nothing was started a second time."))
        return
    waking.wake(request, tasks.run_errand, errand.pk)

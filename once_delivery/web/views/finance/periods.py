"""The months of the books: held, opened again, closed for ever."""

from __future__ import annotations

from datetime import date

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from billing.services.close_period import close_period
from billing.services.hold_period import hold_period
from billing.services.lift_hold import lift_hold
from billing.services.post_entries import NoBooksError
from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError
from once_delivery.ui.doors import MemberRequest, ask_to_confirm, is_fresh
from once_delivery.ui.downloads import saved_as
from once_delivery.web.project_door import for_finance
from once_delivery.web.selectors.finance.periods import month_now, months_of

CONFLICT = 409
_ACTS = {"hold": hold_period, "lift": lift_hold, "close": close_period}


@require_safe
@for_finance
def periods(request: MemberRequest, project: Project) -> HttpResponse:
    """Every month with what was posted in it."""
    try:
        months = months_of(project)
    except NoBooksError:
        return redirect("web:finance", code=project.code)
    return render(request, "web/finance/periods.html", {"project": project, "months": months})


@require_http_methods(["GET", "HEAD", "POST"])
@for_finance
def period(request: MemberRequest, project: Project, month: str) -> HttpResponse:
    """One month: its gates, and holding, lifting or closing it. Closing asks who one is."""
    now = month_now(project, month)
    said, status = "", 200
    act = request.POST.get("act", "")
    if act == "close" and not is_fresh(request):
        return ask_to_confirm(request)
    if request.method == "POST" and act in _ACTS:
        try:
            _ACTS[act](project=project, month=now.period.month, user=request.user)
        except DomainError as error:
            said, status = error.message, CONFLICT
            now = month_now(project, month)
        else:
            messages.success(request, _said(act, now.period.month))
            return redirect("web:finance-period", code=project.code, month=month)
    page = {"project": project, "now": now, "said": said, "fresh": is_fresh(request)}
    return render(request, "web/finance/period.html", page, status=status)


@require_safe
@for_finance
def certificate(request: MemberRequest, project: Project, month: str) -> HttpResponse:
    """The certificate of a closed month as a file."""
    found = month_now(project, month).period
    answer = JsonResponse({"certificate": found.certificate, "sha256": found.certificate_hash})
    return saved_as(answer, f"certificate-{project.code}-{month}.json")


def _said(act: str, month: date) -> str:
    named = {"month": f"{month:%Y-%m}"}
    match act:
        case "hold":
            return _("%(month)s is held: nothing posts in it by itself any more.") % named
        case "lift":
            return _("%(month)s is open again.") % named
        case _:
            return _("%(month)s is closed. What comes late is a correction in an open month.") % named

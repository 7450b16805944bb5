"""Scopes and quotes: what every vendor prices, what each asks, and who stands where."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from billing.exchange import NoExchangeRateError
from billing.models import Scope
from billing.services.save_quote import attach_drill, save_quote
from billing.services.save_scope import ScopeNameTakenError, save_scope
from once_delivery.accounts.models import Project
from once_delivery.common.errors import InvalidInputError
from once_delivery.common.redact import storable
from once_delivery.ui.doors import MemberRequest
from once_delivery.web.forms import Answer, answer_of
from once_delivery.web.project_door import for_finance
from once_delivery.web.selectors.finance.quotes import (
    comparison_of,
    drill_by,
    drills_of,
    quotable,
    scope_of,
    scopes_of,
)

NEW_SCOPE = {
    "name": "",
    "currency": "CNY",
    "rate_day": "",
    "outputs": "",
    "locales": "1",
    "formats": "",
    "client_rounds": "1",
    "months": "1",
    "storage_days": "90",
    "resolution_hours": "8",
    "rejected": "10",
    "unaccepted": "2",
    "duplicate": "1",
    "uncertain": "1",
}


@require_http_methods(["GET", "HEAD", "POST"])
@for_finance
def scopes(request: MemberRequest, project: Project) -> HttpResponse:
    """The scopes of a project, and a new one."""
    answer = Answer(NEW_SCOPE | {"rate_day": timezone.localdate().isoformat()})
    if request.method == "POST":
        typed = {name: request.POST.get(name, "") for name in NEW_SCOPE}
        try:
            made = save_scope(project=project, user=request.user, typed=typed)
        except InvalidInputError as error:
            answer = answer_of(error, typed)
        except ScopeNameTakenError as error:
            answer = answer_of(error, typed, column="name")
        else:
            return redirect("web:finance-scope", code=project.code, uuid=made.uuid)
    page = {"project": project, "scopes": scopes_of(project), "answer": answer}
    return render(request, "web/finance/scopes.html", page, status=answer.status)


@require_http_methods(["GET", "HEAD", "POST"])
@for_finance
def scope(request: MemberRequest, project: Project, uuid: UUID) -> HttpResponse:
    """The quotes on one scope beside each other, and a vendor's prices."""
    found = scope_of(project, uuid)
    lines = quotable(found)
    names = ["vendor", "currency", *(line.code for line in lines)]
    answer = Answer(dict.fromkeys(names, "") | {"currency": found.currency})
    if request.POST.get("act") == "drill":
        return _attach(request, project, found)
    if request.method == "POST":
        typed = {name: request.POST.get(name, "") for name in names}
        try:
            kept = save_quote(scope=found, user=request.user, typed=typed)
        except InvalidInputError as error:
            answer = answer_of(error, typed)
        else:
            messages.success(
                request, _("The quote of %(vendor)s stands in the comparison.") % {"vendor": kept.vendor}
            )
            return redirect("web:finance-scope", code=project.code, uuid=found.uuid)
    comparison, missing = None, ""
    try:
        comparison = comparison_of(found)
    except NoExchangeRateError as error:
        missing = error.message
    page = {
        "project": project,
        "scope": found,
        "lines": lines,
        "comparison": comparison,
        "missing": missing,
        "drills": drills_of(project),
        "answer": answer,
    }
    return render(request, "web/finance/scope.html", page, status=answer.status)


def _attach(request: MemberRequest, project: Project, found: Scope) -> HttpResponse:
    """A drill of the vendor's workflow beside its price."""
    vendor = storable(request.POST.get("vendor", ""))
    quote = found.quotes.filter(vendor=vendor).select_related("project").first()
    if quote is not None:
        drill = drill_by(project, request.POST.get("drill", ""))
        attach_drill(quote=quote, user=request.user, drill=str(drill.uuid) if drill else None)
        messages.success(
            request, _("Price and drill of %(vendor)s stand together.") % {"vendor": quote.vendor}
        )
    return redirect("web:finance-scope", code=project.code, uuid=found.uuid)

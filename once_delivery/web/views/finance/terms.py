"""Versions of the terms: what a normal output includes, who bears what, how fast, and what needs the client."""

from __future__ import annotations

from decimal import Decimal

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from billing.fees import fees_of
from billing.models import Bearer, Books, Cause, Terms
from billing.months import month_named, month_of
from billing.normal_output import FEE_LINES
from billing.services.save_limits import save_limits
from billing.services.save_terms import save_terms
from billing.terms_on import all_terms, terms_on
from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError
from once_delivery.ui.doors import MemberRequest
from once_delivery.web.case_wording import DECISIONS
from once_delivery.web.forms import Answer, answer_of
from once_delivery.web.project_door import for_finance

FIELDS = (
    "valid_from",
    "currency",
    "output_fee",
    "platform_fee_bearer",
    "client_rounds",
    "storage_days",
    "first_look_hours",
    "resolution_hours",
    "counts_latest_only",
    "non_yield_by",
    "text",
)
LIMITS = ("two_people_above", "undetermined_limit", "minimum_n")


@require_http_methods(["GET", "HEAD", "POST"])
@for_finance
def terms(request: MemberRequest, project: Project) -> HttpResponse:
    """The version that holds today, those before it, and the next one."""
    versions = all_terms(project.pk)
    today = timezone.localdate()
    holds = terms_on(versions, today)
    newest = versions[0] if versions else Terms()
    answer, needs = _answer_for(newest, today.isoformat()), set(newest.needs_approval)
    books = Books.objects.filter(project=project).first()
    limits = _limits_now(books)
    if request.POST.get("act") == "limits":
        limits = _limits(request, project)
        if not limits.wrong:
            messages.success(request, _("The limits are kept."))
            return redirect("web:finance-terms", code=project.code)
    elif request.method == "POST":
        typed = {name: request.POST.get(name, "") for name in answer.typed}
        needs = set(request.POST.getlist("needs_approval"))
        try:
            made = save_terms(project=project, user=request.user, typed=typed, needs_approval=needs)
        except DomainError as error:
            answer = answer_of(error, typed)
        else:
            messages.success(request, _("Version %(number)s is kept.") % {"number": made.number})
            return redirect("web:finance-terms", code=project.code)
    page = {
        "project": project,
        "versions": versions,
        "holds": holds,
        "answer": answer,
        "lines": [(line, answer.typed.get(f"include-{line.code}") == "on") for line in FEE_LINES],
        "causes": [
            (cause, f"bearer-{cause.value}", answer.typed.get(f"bearer-{cause.value}")) for cause in Cause
        ],
        "bearers": list(Bearer),
        "fees": fees_of(project, month_named(request.GET.get("month", "")[:7]) or month_of(today)),
        "books": books,
        "limits": limits,
        "decisions": [(code, word, code in needs) for code, word in DECISIONS.items()],
    }
    return render(request, "web/finance/terms.html", page, status=max(answer.status, limits.status))


def _limits(request: MemberRequest, project: Project) -> Answer:
    """Nothing typed: they are kept."""
    typed = {name: request.POST.get(name, "") for name in LIMITS}
    try:
        save_limits(project=project, user=request.user, typed=typed)
    except DomainError as error:
        return answer_of(error, typed)
    return Answer()


def _as_typed(value: object) -> str:
    """A number without the zeros that its column adds."""
    return f"{value.normalize():f}" if isinstance(value, Decimal) else str(value)


def _limits_now(books: Books | None) -> Answer:
    if books is None:
        return Answer()
    return Answer({name: _as_typed(getattr(books, name)) for name in LIMITS})


def _answer_for(newest: Terms, today: str) -> Answer:
    typed = {name: _as_typed(getattr(newest, name)) for name in FIELDS}
    typed["valid_from"] = today
    typed["counts_latest_only"] = "on" if newest.counts_latest_only else ""
    typed |= {
        f"include-{line.code}": "on" if newest.includes.get(line.code, line.included) else ""
        for line in FEE_LINES
    }
    typed |= {
        f"bearer-{cause.value}": newest.bearers.get(cause.value, Bearer.CLIENT.value) for cause in Cause
    }
    return Answer(typed)

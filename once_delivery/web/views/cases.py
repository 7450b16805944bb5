"""What needs a person: the queue, and one case."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.models import Membership
from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.case_wording import DECISIONS
from once_delivery.web.fetch import case_of
from once_delivery.web.page_keys import QUEUE
from once_delivery.web.selectors.case import looking_since
from once_delivery.web.selectors.case_export import case_lines
from once_delivery.web.selectors.cases import case_page
from once_delivery.web.selectors.queue_filter import choices_of, read_filter
from once_delivery.web.selectors.saved_views import views_of
from once_delivery.web.views.case_page import show_case
from once_delivery.web.views.csv_files import csv_file
from reconciliation.decisions import DECIDERS


@require_safe
@signed_in
def cases(request: MemberRequest) -> HttpResponse:
    """The queue, the most urgent first."""
    chosen = read_filter(request.GET)
    page = case_page(request.user, chosen=chosen, key=request.GET.get("after", ""))
    decides = Membership.objects.filter(
        user=request.user, project__in=projects_of(request.user), role__in=DECIDERS
    ).exists()
    context = {
        "page": page,
        "chosen": chosen,
        "choices": choices_of(request.user),
        "views": views_of(request.user, "cases"),
        "may_plan": decides and chosen.view != "resolved",
        "decisions": [(str(code), word) for code, word in DECISIONS.items()],
        "keys": QUEUE,
    }
    return render(request, "web/cases.html", context)


@require_safe
@signed_in
def export(request: MemberRequest) -> HttpResponse:
    """What is shown, all pages of it."""
    return csv_file("cases.csv", case_lines(request.user, chosen=read_filter(request.GET)))


@require_safe
@signed_in
def case(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """One case with the evidence that the system attached. Its part asks whether a look-up has come back."""
    found = case_of(request.user, uuid)
    if request.htmx:
        return render(request, "web/_looking.html", {"case": found, "since": looking_since(found)})
    return show_case(request, found)

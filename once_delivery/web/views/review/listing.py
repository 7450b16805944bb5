"""What there is to review."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from once_delivery.accounts.access import projects_of
from once_delivery.review.people import may_review_any
from once_delivery.review.waiting import waiting_for_review
from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.web.page_keys import REVIEW_LIST
from once_delivery.web.selectors.review_export import draft_lines
from once_delivery.web.selectors.review_filters import ReviewFilters, choices_for
from once_delivery.web.selectors.review_list import review_list, state_links
from once_delivery.web.selectors.saved_views import views_of
from once_delivery.web.views.csv_files import csv_file


@require_safe
@signed_in
def drafts(request: MemberRequest) -> HttpResponse:
    """Drafts by product, those that wait first of all."""
    filters = ReviewFilters.of(request.GET.dict())
    found = review_list(request.user, filters, key=request.GET.get("after", ""))
    page = {
        "filters": filters,
        "page": found,
        "states": state_links(filters, found),
        "as_list": filters.query(view=""),
        "as_grid": filters.query(view="grid"),
        "choices": choices_for(request.user),
        "views": views_of(request.user, "review"),
        "as_kept": filters.kept,
        "waiting": waiting_for_review(list(projects_of(request.user).values_list("pk", flat=True))),
        "may_review": may_review_any(request.user),
        "unread": [row.task.uuid for row in found.rows if row.draft is None],
        "keys": REVIEW_LIST,
    }
    return render(request, "web/review/list.html", page)


@require_safe
@signed_in
def export(request: MemberRequest) -> HttpResponse:
    """What is shown, all pages of it."""
    filters = ReviewFilters.of(request.GET.dict())
    return csv_file("review.csv", draft_lines(request.user, filters=filters))

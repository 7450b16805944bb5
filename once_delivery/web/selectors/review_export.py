"""The drafts to review as lines of a file: everything that the address shows, page after page."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from once_delivery.accounts.models import User
from once_delivery.review.models import Review
from once_delivery.ui.templatetags.ui import person
from once_delivery.web.selectors.review_filters import ReviewFilters
from once_delivery.web.selectors.review_list import ReviewRow, all_rows

AT_ONCE = 500


def draft_lines(user: User, *, filters: ReviewFilters) -> Iterator[list[str | int]]:
    """Headings, then a line a draft in the order of the page; the number of rows in memory is bounded."""
    yield [
        _("Project"), _("Product"), _("Locale"), _("Purpose"), _("Version"), _("Title"), _("Result ID"),
        _("Target system"), _("Confirmed"), _("Review"), _("Decided"), _("By"), _("In words"),
        _("Changed since I looked"), _("More than one at the target"), _("Address"),
    ]  # fmt: skip
    for row in all_rows(user, filters, at_once=AT_ONCE):
        yield _line(row)


def _line(row: ReviewRow) -> list[str | int]:
    action, task, review = row.action, row.task, row.review
    return [
        task.project.code,
        task.product.name,
        task.locale,
        task.purpose,
        task.input_version.number,
        row.title,
        action.result_id,
        action.target.name,
        _iso(action.confirmed_at),
        str(row.state.label),
        _iso(review.at) if review else "",
        _who(review) if review else "",
        review.text if review else "",
        _("yes") if row.changed_since_seen else "",
        ", ".join(row.twice.result_ids) if row.twice else "",
        f"{settings.SITE_URL}{reverse('web:review-task', args=[task.uuid])}",
    ]


def _who(review: Review) -> str:
    if review.user is not None:
        return person(review.user)
    return review.link.approver if review.link is not None else ""


def _iso(moment: datetime | None) -> str:
    return moment.isoformat(timespec="seconds") if moment else ""

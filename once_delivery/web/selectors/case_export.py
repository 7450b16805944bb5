"""The queue as lines of a file: everything that its address shows, page after page."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.models import User
from once_delivery.ui.templatetags.ui import person
from once_delivery.web.selectors.cases import QueueRow, of_age, of_projects, rows_of, with_words, younger_in
from once_delivery.web.selectors.queue_filter import QueueFilter
from once_delivery.web.selectors.queue_order import order_of
from once_delivery.web.wording import RESOLUTIONS, kind_word
from reconciliation.models.calendar import hours_of_all

AT_ONCE = 500


def case_lines(user: User, *, chosen: QueueFilter) -> Iterator[list[str | int]]:
    """Headings, then a line a case in the order of the page; the number of rows in memory is bounded."""
    yield [
        _("What"), _("Kind"), _("Product"), _("Locale"), _("Purpose"), _("Version"), _("Target system"), _("Project"),
        _("At risk"), _("Opened at"), _("Due"), _("Put off until"), _("Decided"), _("Decision"), _("Owner"),
        _("Best candidate"), _("Why"), _("Address"),
    ]  # fmt: skip
    for row in _rows(user, chosen):
        yield _line(row)


def _rows(user: User, chosen: QueueFilter) -> Iterator[QueueRow]:
    now = timezone.now()
    projects = list(projects_of(user))
    hours = hours_of_all(projects)
    found = of_projects(projects).filter(chosen.rest, chosen.view_of(user, now))
    if chosen.age:
        found = found.filter(of_age(chosen.age, younger_in(hours, now)))
    order = order_of(chosen.view)
    found = with_words(found.order_by(*order.by))
    cases = list(found[:AT_ONCE])
    while cases:
        yield from rows_of(cases, hours, now)
        last = cases[-1]
        full = len(cases) == AT_ONCE
        cases = list(found.filter(order.behind(order.at(last), last.pk))[:AT_ONCE]) if full else []


def _line(row: QueueRow) -> list[str | int]:
    case, best, price = row.case, row.best, row.price
    action, task = case.action, case.action.task
    return [
        kind_word(action.kind),
        str(case.get_kind_display()),
        task.product.name,
        task.locale,
        task.purpose,
        task.input_version.number,
        action.target.name,
        case.project.code,
        f"{price.currency} {price.amount}" if price else "",
        _iso(case.opened_at),
        _iso(case.due_at),
        _iso(case.snoozed_until),
        _iso(case.resolved_at),
        str(RESOLUTIONS.get(case.resolution, case.resolution)),
        person(case.owner),
        best.result_id or str(best.title),
        str(best.why),
        f"{settings.SITE_URL}{reverse('web:case', args=[case.uuid])}",
    ]


def _iso(moment: datetime | None) -> str:
    return moment.isoformat(timespec="seconds") if moment else ""

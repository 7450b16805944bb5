"""Figures about reviews, cases, suppliers' lines and closes."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from functools import partial
from typing import Any

from django.db import connection
from django.utils.translation import gettext_lazy as _

from billing.models import Books
from billing.reports.drill import Selection
from billing.reports.figure import Figure, Unit
from billing.reports.first_looks import first_looks
from billing.reports.scope import ReportScope
from billing.reports.selecting import month_column, of_tasks, parameters
from billing.reports.streaming import statement


def figures_of_work(scope: ReportScope, books: Books) -> tuple[Figure, ...]:
    """First-pass yield, uncertain outcomes, answer times, re-opened decisions, unmatched lines, days to close."""
    return (*_of_reviews(scope, books), *_of_cases(scope, books), *_of_closing(scope))


def _of_reviews(scope: ReportScope, books: Books) -> tuple[Figure, ...]:
    decided, accepted, strict = _row("figure_reviews", scope, of_tasks(scope, "w.task_id"))
    rate = partial(
        Figure,
        unit=Unit.SHARE,
        scope=scope,
        denominator=Decimal(decided),
        n=decided,
        least_n=books.minimum_n,
    )
    return (
        rate(
            "first_pass",
            _("Strict first-pass yield"),
            _(
                "Accepted at the first review, after one attempt, without recovery, not duplicate; of what was decided."
            ),
            numerator=Decimal(strict),
        ),
        rate(
            "first_review",
            _("First-review acceptance"),
            _("Accepted at the first review, of what was decided."),
            numerator=Decimal(accepted),
        ),
        rate(
            "change_failure",
            _("Change-failure rate"),
            _("What was not right at once, of what was decided: the rest of the strict first-pass yield."),
            numerator=Decimal(decided - strict),
        ),
    )


def _of_cases(scope: ReportScope, books: Books) -> tuple[Figure, ...]:
    row = _row("figure_cases", scope, of_tasks(scope, "n.task_id"))
    open_, at_risk, median, ninth, oldest, decided, in_time, uncertain, took, acts, undone, pauses, paused = (
        row
    )
    looks = first_looks(scope)
    least = books.minimum_n
    made = partial(Figure, scope=scope)
    count = partial(made, unit=Unit.COUNT)
    age = partial(made, unit=Unit.HOURS, n=open_)
    rate = partial(made, unit=Unit.SHARE, least_n=least)
    risk = Selection(bearer="undetermined")
    return (
        count(
            "uncertain_open",
            _("Uncertain, open"),
            _("Cases that are open."),
            numerator=Decimal(open_),
            n=open_,
        ),
        made(
            "uncertain_at_risk",
            _("Amount at risk"),
            _("Cost of their tasks that nobody is known to bear yet."),
            Unit.MONEY,
            numerator=at_risk,
            n=open_,
            selection=risk,
        ),
        age(
            "uncertain_median",
            _("Median age"),
            _("Of open uncertain cases."),
            numerator=_number(median),
            least_n=least,
        ),
        age(
            "uncertain_p90",
            _("Age that nine of ten are below"),
            _("Of open uncertain cases."),
            numerator=_number(ninth),
            least_n=least,
        ),
        age("uncertain_oldest", _("Oldest"), _("Of open uncertain cases."), numerator=_number(oldest)),
        rate(
            "first_look_in_time",
            _("First look in time"),
            _("Cases that somebody looked at within the hours of the terms, of those opened."),
            numerator=Decimal(looks.in_time),
            denominator=Decimal(looks.opened),
            n=looks.opened,
        ),
        rate(
            "resolved_in_time",
            _("Resolved in time"),
            _("Cases that were decided by their due time, of those decided."),
            numerator=Decimal(in_time),
            denominator=Decimal(decided),
            n=decided,
        ),
        made(
            "paused_hours",
            _("Hours the client was waited for"),
            _("The clock of a case stands then."),
            Unit.HOURS,
            numerator=_number(paused),
            n=pauses,
        ),
        rate(
            "reopened",
            _("Re-open rate"),
            _("Cases whose decision was undone, of those decided."),
            numerator=Decimal(undone),
            denominator=Decimal(acts),
            n=acts,
        ),
        made(
            "recovery_time",
            _("Median time to recover"),
            _("From uncertain to resolved."),
            Unit.HOURS,
            numerator=_number(took),
            n=uncertain,
            least_n=least,
        ),
    )


def _of_closing(scope: ReportScope) -> tuple[Figure, ...]:
    unmatched, closed, days = _row("figure_closing", scope, "")
    return (
        Figure(
            "unmatched_lines",
            _("Unmatched lines"),
            _("Suppliers' lines that wait for an answer."),
            Unit.COUNT,
            scope,
            Decimal(unmatched),
            n=unmatched,
        ),
        Figure(
            "days_to_close",
            _("Days to close"),
            _("From the end of the month to its close; the median of the months."),
            Unit.DAYS,
            scope,
            _number(days),
            n=closed,
        ),
    )


def _row(name: str, scope: ReportScope, tasks: str) -> tuple[Any, ...]:
    asked = parameters(scope) | {"zone": scope.project.timezone}
    asked["begins"] = scope.begins or asked["first"]
    query = statement(name).format(month=month_column(scope), tasks=tasks)
    with connection.cursor() as cursor:
        cursor.execute(query, asked)
        found: Iterable[Any] = cursor.fetchone()
    return tuple(found)


def _number(value: object) -> Decimal | None:
    return None if value is None else Decimal(str(value))

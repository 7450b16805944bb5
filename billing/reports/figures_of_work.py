"""Figures about reviews, cases, suppliers' lines and closes."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.db import connection
from django.db.models import Sum

from billing.reports.drill import Selection, entries_behind
from billing.reports.figure import Figure
from billing.reports.figure_table import Maker
from billing.reports.first_looks import first_looks
from billing.reports.scope import ReportScope
from billing.reports.selecting import month_column, of_tasks, parameters
from billing.reports.streaming import statement

_AT_RISK = Selection(bearer="undetermined", at_risk="yes")


def figures_of_work(make: Maker) -> tuple[Figure, ...]:
    """First-pass yield, uncertain outcomes, answer times, re-opened decisions, unmatched lines, days to close."""
    return (*_of_reviews(make), *_of_cases(make), *_of_closing(make))


def _of_reviews(make: Maker) -> tuple[Figure, ...]:
    decided, accepted, strict = _row("figure_reviews", make.scope, of_tasks(make.scope, "w.task_id"))
    counts = {"first_pass": strict, "first_review": accepted, "change_failure": decided - strict}
    return tuple(make(code, count, decided, n=decided) for code, count in counts.items())


def _of_cases(make: Maker) -> tuple[Figure, ...]:
    row = _row("figure_cases", make.scope, of_tasks(make.scope, "n.task_id"))
    open_, median, ninth, oldest, decided, in_time, uncertain, took, acts, undone, pauses, paused = row
    looks = first_looks(make.scope)
    # what a case puts at risk was posted in whichever month
    to_date = replace(make.scope, first=None)
    at_risk = entries_behind(to_date, _AT_RISK).order_by().aggregate(sum=Sum("amount"))["sum"]
    return (
        make("uncertain_open", open_, n=open_),
        make("uncertain_at_risk", at_risk or 0, n=open_, selection=_AT_RISK, scope=to_date),
        make("uncertain_median", _number(median), n=open_),
        make("uncertain_p90", _number(ninth), n=open_),
        make("uncertain_oldest", _number(oldest), n=open_),
        make("first_look_in_time", looks.in_time, looks.opened, n=looks.opened),
        make("resolved_in_time", in_time, decided, n=decided),
        make("paused_hours", _number(paused), n=pauses),
        make("reopened", undone, acts, n=acts),
        make("recovery_time", _number(took), n=uncertain),
    )


def _of_closing(make: Maker) -> tuple[Figure, ...]:
    unmatched, closed, days = _row("figure_closing", make.scope, "")
    return (
        make("unmatched_lines", unmatched, n=unmatched),
        make("days_to_close", _number(days), n=closed),
    )


def _row(name: str, scope: ReportScope, tasks: str) -> tuple[Any, ...]:
    asked = parameters(scope)
    asked["begins"] = scope.begins or asked["first"]
    query = statement(name).format(month=month_column(scope), tasks=tasks)
    with connection.cursor() as cursor:
        cursor.execute(query, asked)
        found: tuple[Any, ...] = cursor.fetchone()
    return found


def _number(value: object) -> Decimal | None:
    return None if value is None else Decimal(str(value))

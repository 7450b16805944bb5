"""D8: how the cost of what is in work became the cost of what is finished."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from django.db import connection
from django.utils.translation import gettext_lazy as _

from billing.money import quantum_of
from billing.months import next_month
from billing.reports.columns import Column, Kind, Row
from billing.reports.ratio import Ratio
from billing.reports.scope import ReportScope
from billing.reports.selecting import NOT_FX, TASK_OF, month_column, of_entries, of_units, parameters
from billing.reports.standing import GIVEN_UP
from billing.reports.streaming import statement
from billing.reports.totals import books_of

COLUMNS = (
    Column("month", Kind.TEXT, _("The month.")),
    Column("wip_open", Kind.MONEY, _("Cost so far of tasks that were in work when the month began.")),
    Column("posted_cost", Kind.MONEY, _("Cost of the month.")),
    Column("released_to_assets", Kind.MONEY, _("Cost of tasks whose asset counts at the end of the month.")),
    Column(
        "released_as_non_yield", Kind.MONEY, _("Cost of what was finally closed without a counted asset.")
    ),
    Column("wip_close", Kind.MONEY, _("Cost so far of tasks that are in work when the month ends.")),
    Column("units", Kind.NUMBER, _("Accepted, non-duplicate assets of the month.")),
    Column("completed_cost", Kind.MONEY, _("What was released, to assets and as non-yield.")),
    Column(
        "completed_per_asset", Kind.MONEY, _("completed_cost divided by units; empty without units above 0.")
    ),
)
_MONTHS = """
SELECT min(m), max(m) FROM (
    SELECT {month} AS m FROM billing_costentry WHERE project_id = %(project)s
    UNION ALL SELECT {month} FROM billing_unitentry WHERE project_id = %(project)s
) of_all
"""


@dataclass(frozen=True, slots=True)
class Bridge:
    """``wip_open + posted_cost = to_assets + as_non_yield + wip_close``. A release below 0 came back into work."""

    wip_open: Decimal
    posted_cost: Decimal
    to_assets: Decimal
    as_non_yield: Decimal
    wip_close: Decimal
    units: int

    @property
    def completed(self) -> Decimal:
        """Cost of what was finished in the months, whenever it was posted."""
        return self.to_assets + self.as_non_yield


def wip_bridge(scope: ReportScope) -> Bridge:
    """The months of the scope taken together."""
    return _bridges(scope, [scope])[0]


def _bridges(scope: ReportScope, spans: Sequence[ReportScope]) -> list[Bridge]:
    """That of each of ``spans``, which differ from ``scope`` in their months alone, in one query."""
    given_up = GIVEN_UP.replace("%(ends)s", "m.ends")
    query = statement("wip_bridge").format(
        task_of=TASK_OF,
        entries=of_entries(scope, from_the_start=True),
        units=of_units(scope, from_the_start=True),
        cost=NOT_FX,
        month=month_column(scope),
        given_up=given_up,
        given_up_before=given_up.replace("m.ends", "m.begins"),
    )
    for bound in ("first", "last"):
        query = query.replace(f"%({bound})s", f"m.{bound}")
    each = [parameters(span) for span in spans]
    asked = parameters(scope) | {
        "firsts": [one["first"] for one in each],
        "lasts": [one["last"] for one in each],
        "begin": [span.begins or one["first"] for span, one in zip(spans, each, strict=True)],
        "end": [one["ends"] for one in each],
    }
    with connection.cursor() as cursor:
        cursor.execute(query, asked)
        return [Bridge(*row) for row in cursor.fetchall()]


def months_of(scope: ReportScope) -> list[date]:
    """The months of the scope in which there is something, and those between."""
    with connection.cursor() as cursor:
        cursor.execute(_MONTHS.format(month=month_column(scope)), parameters(scope))
        earliest, latest = cursor.fetchone()
    if earliest is None:
        return []
    month, last = scope.first or earliest, scope.last or latest
    found = []
    while month <= last:
        found.append(month)
        month = next_month(month)
    return found


def monthly(scope: ReportScope) -> list[tuple[date, Bridge]]:
    """Each month of the scope with its bridge."""
    months = months_of(scope)
    # a last month is a condition of every span, whatever the scope says
    whole = replace(scope, first=months[0], last=months[-1]) if months else scope
    spans = [replace(scope, first=month, last=month) for month in months]
    return list(zip(months, _bridges(whole, spans), strict=True))


def by_month(scope: ReportScope) -> Iterator[Row]:
    """D8: one row a month. Raises NoBooksError."""
    quantum = quantum_of(books_of(scope).currency)
    for month, bridge in monthly(scope):
        yield (
            f"{month:%Y-%m}",
            bridge.wip_open,
            bridge.posted_cost,
            bridge.to_assets,
            bridge.as_non_yield,
            bridge.wip_close,
            bridge.units,
            bridge.completed,
            Ratio(bridge.completed, bridge.units, quantum).value,
        )

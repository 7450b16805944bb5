"""D8: how the cost of what is in work became the cost of what is finished."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from django.db import connection
from django.utils.translation import gettext_lazy as _

from billing.months import next_month
from billing.reports.columns import Column, Kind, Row
from billing.reports.ratio import Ratio
from billing.reports.scope import ReportScope
from billing.reports.selecting import NOT_FX, TASK_OF, month_column, of_entries, of_units, parameters
from billing.reports.standing import GIVEN_UP
from billing.reports.streaming import statement
from billing.reports.totals import Totals, totals

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

    @property
    def completed(self) -> Decimal:
        """Cost of what was finished in the months, whenever it was posted."""
        return self.to_assets + self.as_non_yield


def wip_bridge(scope: ReportScope) -> Bridge:
    """The months of the scope taken together."""
    given_up_before = GIVEN_UP.replace("%(ends)s", "%(begins)s")
    query = statement("wip_bridge").format(
        task_of=TASK_OF,
        entries=of_entries(scope, from_the_start=True),
        units=of_units(scope, from_the_start=True),
        cost=NOT_FX,
        month=month_column(scope),
        given_up=GIVEN_UP,
        given_up_before=given_up_before,
    )
    asked = parameters(scope)
    asked["begins"] = scope.begins or asked["first"]
    with connection.cursor() as cursor:
        cursor.execute(query, asked)
        return Bridge(*cursor.fetchone())


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


def monthly(scope: ReportScope) -> Iterator[tuple[date, Bridge, Totals]]:
    """Each month of the scope with its bridge and its totals. Raises NoBooksError."""
    for month in months_of(scope):
        one = replace(scope, first=month, last=month)
        yield month, wip_bridge(one), totals(one)


def by_month(scope: ReportScope) -> Iterator[Row]:
    """D8: one row a month. Raises NoBooksError."""
    for month, bridge, found in monthly(scope):
        yield (
            f"{month:%Y-%m}",
            bridge.wip_open,
            bridge.posted_cost,
            bridge.to_assets,
            bridge.as_non_yield,
            bridge.wip_close,
            found.d,
            bridge.completed,
            Ratio(bridge.completed, found.d, found.quantum).value,
        )

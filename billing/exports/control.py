"""What a file adds up to: counted while its rows pass, and held against the ledgers of the same moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext_noop

from billing.models import Period
from billing.reports.columns import Cell, Column, Kind, Report
from billing.reports.scope import ReportScope
from billing.reports.totals import Totals
from once_delivery.common.errors import DomainError

TOTAL = "TOTAL"


class ControlError(DomainError):
    """The rows do not add up to the ledgers: no file is given out."""

    code = "control-does-not-add-up"
    template = gettext_noop(
        "The rows of this report do not add up to the ledgers, so no file was made of it."
    )


@dataclass
class Control:
    """The sums of every column of money, and of units, without rows of type TOTAL."""

    report: Report
    columns: Sequence[Column]
    rows: int = 0
    cost: Decimal = Decimal(0)
    units: int = 0
    sums: dict[str, Decimal] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [column.name for column in self.report.columns]
        self._type = names.index("row_type") if "row_type" in names else None
        self._cost = names.index(self.report.cost_column) if self.report.cost_column else None
        self._units = names.index(self.report.unit_column) if self.report.unit_column else None
        self._money = [(names.index(one.name), one.name) for one in self.columns if one.kind is Kind.MONEY]
        self.sums = {name: Decimal(0) for _, name in self._money}

    def take(self, row: Sequence[Cell]) -> None:
        """One row of the report, with all its columns."""
        self.rows += 1
        if self._type is not None and row[self._type] == TOTAL:
            return
        for place, name in self._money:
            cell = row[place]
            if isinstance(cell, Decimal):
                self.sums[name] += cell
        if self._cost is not None:
            cost = row[self._cost]
            self.cost += cost if isinstance(cost, Decimal) else 0
        if self._units is not None:
            units = row[self._units]
            self.units += units if isinstance(units, int) else 0

    def must_add_up_to(self, found: Totals) -> None:
        """Raises ControlError."""
        wanted = found.n + (found.fx_diff if self.report.with_fx else 0)
        if self._cost is not None and self.cost != wanted:
            raise ControlError
        if self._units is not None and self.units != found.d:
            raise ControlError

    def told(self, found: Totals, scope: ReportScope) -> dict[str, Any]:
        """For the sheet Control and for ``Export.control``; amounts are Decimal."""
        months = Period.objects.filter(project=scope.project).order_by("month")
        if scope.first:
            months = months.filter(month__gte=scope.first)
        if scope.last:
            months = months.filter(month__lte=scope.last)
        return {
            "rows": self.rows,
            "sums_of_rows": self.sums,
            "currency": found.currency,
            "cost": found.n,
            "units": found.d,
            "by_bucket": {word.value: amount for word, amount in found.by_bucket.items()},
            "by_bearer": {
                word.value: amount for word, amount in found.by_bearer.items() if amount or word == "client"
            },
            "exchange_differences": found.fx_diff,
            "unknown_costs": found.unknown,
            "period_status": {f"{one.month:%Y-%m}": one.status for one in months},
            "certificate": {
                f"{one.month:%Y-%m}": f"sha256:{one.certificate_hash}"
                for one in months
                if one.certificate_hash
            },
            "as_of": found.as_of.isoformat(timespec="seconds"),
            "filters": scope.filters(),
        }

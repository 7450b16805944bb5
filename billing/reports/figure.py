"""One figure: a ratio of sums with its n, hidden while n is too small to say anything."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from django.utils.functional import Promise

from billing.reports.drill import Selection
from billing.reports.scope import ReportScope


class Unit(StrEnum):
    """What the value is. A SHARE is between 0 and 1 (it can leave that where costs are below 0)."""

    MONEY = "money"
    SHARE = "share"
    COUNT = "count"
    TIMES = "times"
    HOURS = "hours"
    DAYS = "days"


_PLACES = {
    Unit.SHARE: Decimal("0.0001"),
    Unit.TIMES: Decimal("0.01"),
    Unit.HOURS: Decimal("0.1"),
    Unit.DAYS: Decimal("0.1"),
}


@dataclass(frozen=True, slots=True)
class Figure:
    """``value`` is ``numerator / denominator`` of the sums, rounded once; None while hidden or without a denominator.

    A count, a sum and a median have no denominator: they are their numerator. ``n`` is how many things it is about,
    ``least_n`` from how many on it is shown (0: always). ``selection`` leads to its entries in ``scope``, None where it
    is not about costs. ``status`` is that of ``Ratio`` for a cost per asset.
    """

    code: str
    title: str | Promise
    meaning: str | Promise
    unit: Unit
    scope: ReportScope
    numerator: Decimal | None
    denominator: Decimal | None = None
    n: int = 0
    least_n: int = 0
    quantum: Decimal = Decimal("0.01")
    status: str = ""
    selection: Selection | None = None

    @property
    def hidden(self) -> bool:
        """Too few to say anything: the page says how many there are, and no value."""
        return self.n < self.least_n

    @property
    def value(self) -> Decimal | None:
        if self.hidden or self.numerator is None:
            return None
        if self.denominator is None:
            return self._rounded(self.numerator)
        if self.denominator == 0 or (self.unit is Unit.MONEY and self.denominator < 0):
            return None
        return self._rounded(self.numerator / self.denominator)

    def _rounded(self, exact: Decimal) -> Decimal:
        if self.unit is Unit.COUNT:
            return exact
        return exact.quantize(_PLACES.get(self.unit, self.quantum), rounding=ROUND_HALF_UP)

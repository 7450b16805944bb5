"""Cost per accepted, non-duplicate asset: N / D, rounded once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from billing.allocation import rounded


class RatioStatus(StrEnum):
    """Whether there is a cost per asset, and why not."""

    OK = "OK"
    NO_ACCEPTED_UNITS = "NO_ACCEPTED_UNITS"
    NEGATIVE_UNITS = "NEGATIVE_UNITS"


@dataclass(frozen=True, slots=True)
class Ratio:
    """``n`` unrounded, ``d`` units. ``value`` is None without units above 0: never 0, never infinite."""

    n: Decimal
    d: int
    quantum: Decimal

    @property
    def status(self) -> RatioStatus:
        if self.d == 0:
            return RatioStatus.NO_ACCEPTED_UNITS
        return RatioStatus.OK if self.d > 0 else RatioStatus.NEGATIVE_UNITS

    @property
    def value(self) -> Decimal | None:
        """N / D to the quantum, half up."""
        return rounded(self.n / self.d, self.quantum) if self.d > 0 else None

    @property
    def unabsorbed(self) -> Decimal:
        """The cost that no asset bears, because none counts."""
        return self.n if self.d <= 0 else Decimal(0)


def rolled_up(ratios: Iterable[Ratio], *, quantum: Decimal) -> Ratio:
    """The ratio of the sums; a mean of ratios would be wrong."""
    listed = list(ratios)
    return Ratio(sum((one.n for one in listed), Decimal(0)), sum(one.d for one in listed), quantum)

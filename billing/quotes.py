"""Quotes of several vendors beside each other, on one frozen scope, in one currency. Pure: it reads no database.

A line without a price makes a quote incomplete, and it is not ranked. A price for what must never be billed makes it
non-compliant: it is shown as it was quoted and, beside that, without the forbidden charges; it is not ranked either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal, localcontext
from enum import StrEnum

DIGITS = 60  # of an amount: a price by millions of outputs, years of storage and a rate
SHARES = ("rejected", "unaccepted", "duplicate", "uncertain")


class Standing(StrEnum):
    """What a quote is worth in the comparison."""

    COMPARABLE = "COMPARABLE"
    INCOMPLETE = "INCOMPLETE"
    NON_COMPLIANT = "NON_COMPLIANT"


@dataclass(frozen=True, slots=True)
class ScopeLine:
    """So many units of one thing; ``never_billed`` by the rules."""

    code: str
    quantity: Decimal
    never_billed: bool = False


@dataclass(frozen=True, slots=True)
class FrozenScope:
    """What is priced. ``quantum`` is the smallest amount of ``currency``."""

    currency: str
    quantum: Decimal
    outputs: Decimal
    unaccepted: Decimal  # share of the outputs that are never accepted
    duplicate: Decimal  # share of the accepted ones that are duplicates
    lines: tuple[ScopeLine, ...]

    @property
    def expected_units(self) -> Decimal:
        """Accepted and not duplicate, as they are expected."""
        return self.outputs * (1 - self.unaccepted) * (1 - self.duplicate)


@dataclass(frozen=True, slots=True)
class Offer:
    """One vendor's prices a unit, in its own currency, with what one unit of that is in the scope's."""

    vendor: str
    currency: str
    rate: Decimal
    prices: Mapping[str, Decimal]


@dataclass(frozen=True, slots=True)
class PricedLine:
    """One line of one vendor. ``amount`` is in the scope's currency; None where nothing was quoted."""

    line: ScopeLine
    quoted: Decimal | None
    amount: Decimal | None
    breach: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """One vendor's quote: totals as quoted, and without what must never be billed. None: incomplete."""

    offer: Offer
    standing: Standing
    lines: tuple[PricedLine, ...]
    total: Decimal | None
    unit_cost: Decimal | None
    normalised_total: Decimal | None
    normalised_unit_cost: Decimal | None
    rank: int | None = None
    above_best: Decimal | None = None  # of the unit cost


def compare(scope: FrozenScope, offers: Sequence[Offer]) -> tuple[Compared, ...]:
    """The ranked quotes first, cheapest unit first; then the others by the vendor's name. Equal costs share a rank."""
    with localcontext(prec=DIGITS):
        compared = [_compared(scope, offer) for offer in offers]
    costs = sorted(found.unit_cost for found in compared if _is_ranked(found) and found.unit_cost is not None)
    placed = [
        replace(found, rank=costs.index(found.unit_cost) + 1, above_best=found.unit_cost - costs[0])
        if _is_ranked(found) and found.unit_cost is not None
        else found
        for found in compared
    ]
    return tuple(sorted(placed, key=lambda found: (found.rank is None, found.rank or 0, found.offer.vendor)))


def _is_ranked(found: Compared) -> bool:
    return found.standing is Standing.COMPARABLE and found.unit_cost is not None


def _compared(scope: FrozenScope, offer: Offer) -> Compared:
    lines = tuple(_priced(scope, offer, line) for line in scope.lines)
    missing = any(line.amount is None for line in lines)
    breaks = any(line.breach for line in lines)
    total = None if missing else sum((line.amount or Decimal(0) for line in lines), Decimal(0))
    allowed = (
        None if missing else sum((line.amount or Decimal(0) for line in lines if not line.breach), Decimal(0))
    )
    standing = Standing.NON_COMPLIANT if breaks else Standing.INCOMPLETE if missing else Standing.COMPARABLE
    return Compared(
        offer=offer,
        standing=standing,
        lines=lines,
        total=total,
        unit_cost=_a_unit(scope, total),
        normalised_total=allowed,
        normalised_unit_cost=_a_unit(scope, allowed),
    )


def _priced(scope: FrozenScope, offer: Offer, line: ScopeLine) -> PricedLine:
    quoted = offer.prices.get(line.code)
    if quoted is None and line.never_billed:
        quoted = Decimal(0)  # not to bill it is what the rules ask for
    if quoted is None:
        return PricedLine(line, None, None, breach=False)
    amount = (quoted * line.quantity * offer.rate).quantize(scope.quantum, ROUND_HALF_UP)
    return PricedLine(line, quoted, amount, breach=line.never_billed and quoted > 0)


def _a_unit(scope: FrozenScope, total: Decimal | None) -> Decimal | None:
    if total is None or scope.expected_units <= 0:
        return None
    return (total / scope.expected_units).quantize(scope.quantum, ROUND_HALF_UP)

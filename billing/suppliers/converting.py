"""A document's total in our currency, converted once, and each line's share of it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from billing.allocation import allocate, rounded
from billing.models import Tax
from billing.suppliers.line import ReadLine


@dataclass(frozen=True, slots=True)
class Converted:
    """``total`` is what is posted; ``amounts`` and ``taxes`` are the lines', in their order, and sum to it.

    Recoverable tax stands beside: its ``taxes`` sum to ``recoverable``, which is no part of the total.
    """

    total: Decimal
    amounts: list[Decimal]
    taxes: list[Decimal]
    recoverable: Decimal


def native_total(lines: Sequence[ReadLine]) -> Decimal:
    """What the lines cost: with the tax that cannot be recovered, without the one that can."""
    return sum(
        (line.amount + (line.tax if line.tax_treatment == Tax.NON_RECOVERABLE else 0) for line in lines),
        Decimal(0),
    )


def recoverable_total(lines: Sequence[ReadLine]) -> Decimal:
    """The tax that is outside of the cost."""
    return sum((line.tax for line in lines if line.tax_treatment == Tax.RECOVERABLE), Decimal(0))


def convert(
    lines: Sequence[ReadLine],
    *,
    total: Decimal,
    rate: Decimal,
    quantum: Decimal,
    posted: Decimal = Decimal(0),
) -> Converted:
    """``total`` of ``lines`` at ``rate``, rounded once, then shared by largest remainder.

    ``total`` may be finer or coarser than the lines' sum by less than a minor unit. With ``posted``, what earlier parts
    of the same document came to, ``total`` is that of the whole document, and these lines get what is left of it.
    Charges and credits are shared apart, so that no share has the other sign. The order of lines breaks ties.
    """
    whole = rounded(total * rate, quantum) - posted
    parts: dict[int, Decimal] = {}
    outside: dict[int, Decimal] = {}
    for index, line in enumerate(lines):
        parts[2 * index] = line.amount
        place = parts if line.tax_treatment == Tax.NON_RECOVERABLE else outside
        place[2 * index + 1] = line.tax
    memo = rounded(sum(outside.values(), Decimal(0)) * rate, quantum)
    shares = _shared(whole, parts, rate, quantum) | _shared(memo, outside, rate, quantum)
    return Converted(
        total=whole,
        amounts=[shares[2 * index] for index in range(len(lines))],
        taxes=[shares.get(2 * index + 1, Decimal(0)) for index in range(len(lines))],
        recoverable=memo,
    )


def _shared(
    total: Decimal, parts: Mapping[int, Decimal], rate: Decimal, quantum: Decimal
) -> dict[int, Decimal]:
    above = {key: amount for key, amount in parts.items() if amount > 0}
    below = {key: -amount for key, amount in parts.items() if amount < 0}
    shares = dict.fromkeys(parts, Decimal(0))
    if above and below:
        charged = rounded(sum(above.values(), Decimal(0)) * rate, quantum)
        # a rest of rounding may not turn a credit into a charge
        charged = max(charged, total)
    else:
        charged = total if above else Decimal(0)
    if above:
        shares |= allocate(total=charged, weights=above, quantum=quantum).shares
    if below:
        shares |= allocate(total=total - charged, weights=below, quantum=quantum).shares
    return shares

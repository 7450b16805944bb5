"""By what several uses share a line. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal

from billing.suppliers.uses import Used


def weights_of(used: Sequence[Used]) -> dict[int, Decimal]:
    """The driver by which several uses share a line, by the attempt: what we expect of each, else its units, else one each.

    One measure for all of them: a mix of two would compare what cannot be compared.
    """
    if all(one.expected is not None for one in used) and any(one.expected for one in used):
        amounts = [one.expected or Decimal(0) for one in used]
    elif all(one.units is not None for one in used) and len({one.unit for one in used}) == 1:
        amounts = [one.units or Decimal(0) for one in used]
    else:
        amounts = [Decimal(1)] * len(used)
    weights: dict[int, Decimal] = defaultdict(Decimal)
    for one, amount in zip(used, amounts, strict=True):
        weights[one.attempt_id] += amount
    return dict(weights)

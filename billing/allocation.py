"""Sharing an amount out by largest remainder (ACCOUNTING section 6). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Generic, TypeVar

from django.utils.translation import gettext_noop

from once_delivery.common.errors import DomainError

Key = TypeVar("Key", int, str)


class BadWeightError(DomainError):
    """A weight below nothing, or an amount that is no multiple of the quantum."""

    code = "bad-weight"
    template = gettext_noop("Weights cannot be negative.")


class NotSharableError(DomainError):
    """What is shared out is a multiple of the quantum; a rest would be lost."""

    code = "not-sharable"
    template = gettext_noop("%(total)s is no multiple of %(quantum)s.")


@dataclass(frozen=True, slots=True)
class Shares(Generic[Key]):
    """What each key gets, and what stays because every weight is 0. They sum to the total."""

    shares: Mapping[Key, Decimal]
    unallocated: Decimal


def rounded(amount: Decimal, quantum: Decimal) -> Decimal:
    """``amount`` to the nearest multiple of ``quantum``, half up (away from zero)."""
    return (amount / quantum).quantize(Decimal(1), rounding=ROUND_HALF_UP) * quantum


def allocate(*, total: Decimal, weights: Mapping[Key, Decimal | int], quantum: Decimal) -> Shares[Key]:
    """``total`` shared out by ``weights``, exactly.

    Each exact share is floored at ``quantum``; what is left is handed out, one quantum each, by the largest fraction,
    ties by key ascending. A negative total is shared by its magnitude. Raises BadWeightError, NotSharableError.
    """
    if any(weight < 0 for weight in weights.values()):
        raise BadWeightError
    units = Fraction(total) / Fraction(quantum)
    if units.denominator != 1:
        raise NotSharableError(total=total, quantum=quantum)
    nothing = Decimal(0).quantize(quantum)
    whole = sum((Fraction(weight) for weight in weights.values()), Fraction())
    if not whole:
        return Shares(dict.fromkeys(weights, nothing), total)
    magnitude = abs(units.numerator)
    exact = {key: magnitude * Fraction(weight) / whole for key, weight in weights.items()}
    floors = {key: share.numerator // share.denominator for key, share in exact.items()}
    by_fraction = sorted(exact, key=lambda key: (floors[key] - exact[key], key))
    for key in by_fraction[: magnitude - sum(floors.values())]:
        floors[key] += 1
    sign = -1 if total < 0 else 1
    return Shares({key: sign * count * quantum for key, count in floors.items()}, nothing)

"""What of a billed line still stands in the ledger: cost and tax, by place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from django.db.models import BooleanField, ExpressionWrapper, Q, Sum
from django.db.models.functions import Coalesce

from billing.allocation import allocate
from billing.among import Among
from billing.models import CostEntry, EntryKind, SupplierLine, Tax


@dataclass(frozen=True, slots=True)
class Standing:
    """Where something of a billed line stands, and who bears it."""

    task_id: int | None
    attempt_id: int | None
    sub_bucket: str
    cause: str
    bearer: str
    origin: date


@dataclass(frozen=True, slots=True)
class Left:
    """What stands of one line; ``tax`` (that cannot be recovered) apart from its ``base``."""

    base: dict[Standing, Decimal] = field(default_factory=dict)
    tax: dict[Standing, Decimal] = field(default_factory=dict)


def standing_of(lines: Iterable[SupplierLine], quantum: Decimal) -> dict[int, Left]:
    """Line → the sums that are above 0, after reversals, changes of bearer, allocations and earlier credits."""
    listed = [line.pk for line in lines]
    names = ("task_id", "attempt_id", "sub_bucket", "cause", "bearer", "origin_period")
    taxed = ExpressionWrapper(Q(tax_treatment=Tax.NON_RECOVERABLE), output_field=BooleanField())
    rows = (
        CostEntry.objects.filter(
            Q(Among("supplier_line", listed)) | Q(Among("supplier_line__credits_line", listed))
        )
        .exclude(kind=EntryKind.FX_DIFF)
        .annotate(billed=Coalesce("supplier_line__credits_line", "supplier_line"), taxed=taxed)
        .values_list("billed", "taxed", *names)
        .annotate(total=Sum("amount"))
        .order_by("billed", *names, "taxed")
    )
    sums: dict[int, dict[Standing, list[Decimal]]] = {pk: {} for pk in listed}
    for billed, is_tax, *where, total in rows:
        sums[billed].setdefault(Standing(*where), [Decimal(0), Decimal(0)])[is_tax] += total
    return {pk: _left(places, quantum) for pk, places in sums.items()}


def _left(places: Mapping[Standing, list[Decimal]], quantum: Decimal) -> Left:
    if all(base >= 0 and tax >= 0 for base, tax in places.values()):
        return Left(
            {place: base for place, (base, _) in places.items() if base},
            {place: tax for place, (_, tax) in places.items() if tax},
        )
    # an allocation moved the cost with the tax in it, as one sum: the tax stands where the cost does
    stands = {place: base + tax for place, (base, tax) in places.items() if base + tax > 0}
    weights = dict(enumerate(stands.values()))
    tax_left = max(Decimal(0), sum((tax for _, tax in places.values()), Decimal(0)))
    total = min(tax_left, sum(weights.values(), Decimal(0)))
    shares = allocate(total=total, weights=weights, quantum=quantum).shares
    taxes = dict(zip(stands, shares.values(), strict=True))
    bases = {place: stands[place] - taxes[place] for place in stands}
    return Left(
        {place: base for place, base in bases.items() if base},
        {place: tax for place, tax in taxes.items() if tax},
    )

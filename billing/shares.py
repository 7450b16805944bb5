"""What was shared out, and who bears it by now: a share is changed where it stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Exists, OuterRef, QuerySet

from billing.models import CostEntry
from billing.standing import TRANSFERS, Stand, with_transfers

NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True, order=True)
class Common:
    """What is shared as one amount: of one nature, of one line of a bill."""

    sub_bucket: str
    bearer: str
    grade: str
    document_id: int
    supplier_line_id: int


Amounts = dict[Common, dict[int, Decimal]]  # by the task or the attempt
Moved = Mapping[tuple[Common, int], Mapping[Stand, Decimal]]


def moved_shares(shares: QuerySet[CostEntry], column: str) -> Moved:
    """Of each share what is counted as something else than it was shared as; ``column``: the task's or the attempt's."""
    transfers = CostEntry.objects.filter(corrects=OuterRef("pk"), kind__in=TRANSFERS)
    moved: dict[tuple[Common, int], dict[Stand, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
    for one in with_transfers(shares.filter(Exists(transfers)).order_by("seq")):
        entry, now = one.entry, one.now
        if (now.cause, now.bearer) != (entry.cause, entry.bearer):
            moved[_common_of(entry), getattr(entry, column)][now] += entry.amount
    return moved


def pieces(
    before: Decimal, change: Decimal, moved: Mapping[Stand, Decimal]
) -> Iterator[tuple[Decimal, Stand | None]]:
    """``change`` of a share of ``before``, as parts that sum to it, each with whom it is to be counted for (None: as shared).

    What is no share any more is taken from each who bears a part of it. What becomes less is taken from what stands as
    it was shared, then from the others; what becomes more stands as it is shared.
    """
    stands: dict[Stand | None, Decimal] = {None: before - sum(moved.values(), NOTHING)}
    stands.update(moved.items())
    parts: dict[Stand | None, Decimal]
    due = before + change
    if due * before <= 0:
        parts = {stand: -amount for stand, amount in stands.items()}
        parts[None] += due
    else:
        parts, left = dict.fromkeys(stands, NOTHING), change
        for stand, amount in stands.items():
            if amount * left < 0:
                parts[stand] = min(-amount, left, key=abs)
                left -= parts[stand]
        parts[None] += left
    yield from ((amount, stand) for stand, amount in parts.items() if amount)


def _common_of(entry: CostEntry) -> Common:
    line = entry.supplier_line_id or 0
    return Common(entry.sub_bucket, entry.bearer, entry.grade, entry.document_id or 0, line)

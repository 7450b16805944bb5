"""Whose fault it is that an asset is there twice: the cause of the pair by which it is a duplicate."""

from __future__ import annotations

from django.db.models import OuterRef, Q, QuerySet, Subquery

from billing.models import Cause, Duplicate, DuplicateStatus, UnitEntry, UnitReason
from once_delivery.review.models import Asset


def causes_of(assets: QuerySet[Asset]) -> dict[int, Cause]:
    """By asset: of what counts no more since it was found to be a duplicate, and of the later of two that were wanted."""
    last = UnitEntry.objects.filter(asset=OuterRef("pk")).order_by("-seq").values("reason")[:1]
    out = set(
        assets.annotate(last=Subquery(last))
        .filter(last=UnitReason.DUPLICATE_FOUND)
        .values_list("pk", flat=True)
    )
    wanted = Duplicate.objects.filter(status=DuplicateStatus.WANTED, asset__in=assets)
    causes = {row.asset_id: Cause(row.cause) for row in wanted.order_by("decided_at", "pk")}
    one = Duplicate.objects.filter(Q(asset__in=out) | Q(survivor__in=out), status=DuplicateStatus.DECIDED)
    rows = list(one.order_by("decided_at", "pk").only("asset_id", "survivor_id", "cause"))
    # one that is a duplicate of an earlier one is so by that pair; only what has none by a pair with a later one
    for side in ("survivor_id", "asset_id"):
        causes |= {pk: Cause(row.cause) for row in rows if (pk := getattr(row, side)) in out}
    return causes

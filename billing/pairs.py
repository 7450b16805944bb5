"""Two assets that may be one deliverable: what about them a person reads before they decide, and what that moves."""

from __future__ import annotations

import json
from decimal import Decimal
from hashlib import sha256

from django.db.models import Q, Sum

from billing.counted import counting
from billing.groups import group_of
from billing.models import CostEntry, Duplicate, DuplicateStatus
from once_delivery.review.models import Asset, Revocation


def in_order(one: Asset, other: Asset) -> tuple[Asset, Asset]:
    """The one accepted later, and the earlier one."""
    earlier, later = sorted((one, other), key=lambda asset: (asset.accepted_at, asset.pk))
    return later, earlier


def either_way(one: int, other: int) -> Q:
    """The pair of the two."""
    return Q(asset=one, survivor=other) | Q(asset=other, survivor=one)


def pair_of(one: Asset, other: Asset) -> Duplicate | None:
    """What is on record of the two, if anything is."""
    return Duplicate.objects.filter(either_way(one.pk, other.pk)).first()


def mark_of(pair: Duplicate) -> str:
    """Another one as soon as the pair is another: its assets, their texts and standing, their groups, its decision."""
    sides = [pair.asset_id, pair.survivor_id]
    group = group_of(*sides)
    asked = Revocation.objects.filter(asset__in=sides)
    joined = Duplicate.objects.filter(asset__in=group, status=DuplicateStatus.DECIDED)
    said = [
        [pair.pk, *sides, pair.status, pair.decided_at],
        list(Asset.objects.filter(pk__in=sides).order_by("pk").values_list("pk", "draft", "withdrawn_at")),
        list(asked.order_by("pk").values_list("pk", "status")),
        list(joined.order_by("pk").values_list("asset", "survivor")),
    ]
    return sha256(json.dumps(said, default=str).encode()).hexdigest()


def at_stake(asset: Asset, survivor: Asset, *, one: bool) -> Decimal:
    """What a decision about the two moves at most: the cost of the dearest task whose asset may count no more by it, or
    count again. ``one``: they would be said to be one, or to be two that were wanted."""
    pair = pair_of(asset, survivor)
    concerned = {asset.pk}
    if one or (pair is not None and pair.status == DuplicateStatus.DECIDED):
        group = group_of(asset.pk, survivor.pk)
        concerned |= {survivor.pk, *counting(asset.project).filter(pk__in=group).values_list("pk", flat=True)}
    tasks = Asset.objects.filter(pk__in=concerned).values("task")
    costs = CostEntry.objects.filter(project=asset.project_id, task__in=tasks)
    return max(
        (row["total"] for row in costs.values("task").annotate(total=Sum("amount"))), default=Decimal(0)
    )

"""Two assets that may be one deliverable: what about them a person reads before they decide, and what that moves."""

from __future__ import annotations

import json
from decimal import Decimal
from hashlib import sha256

from django.db.models import Sum

from billing.groups import root_of
from billing.models import CostEntry, Duplicate, DuplicateStatus
from once_delivery.review.models import Asset, Revocation


def mark_of(pair: Duplicate) -> str:
    """Another one as soon as the pair is another: its assets, their texts and standing, their groups, its decision."""
    root = root_of(pair.survivor)
    sides = Asset.objects.filter(pk__in=[pair.asset_id, pair.survivor_id, root.pk])
    groups = Duplicate.objects.filter(survivor__in=[pair.asset_id, root.pk], status=DuplicateStatus.DECIDED)
    asked = Revocation.objects.filter(asset__in=[pair.asset_id, pair.survivor_id])
    said = [
        [pair.pk, pair.asset_id, pair.survivor_id, pair.status, pair.decided_at],
        list(sides.order_by("pk").values_list("pk", "draft", "withdrawn_at")),
        list(asked.order_by("pk").values_list("pk", "status")),
        list(groups.order_by("pk").values_list("asset", "survivor")),
    ]
    return sha256(json.dumps(said, default=str).encode()).hexdigest()


def cost_of(asset: Asset) -> Decimal:
    """What its task has cost so far, whoever bears it."""
    entries = CostEntry.objects.filter(project=asset.project_id, task=asset.task_id)
    return entries.aggregate(total=Sum("amount"))["total"] or Decimal(0)


def at_stake(asset: Asset, survivor: Asset | None) -> Decimal:
    """What a decision about the two moves at most, whichever of them counts no more; about ``asset`` alone: its cost."""
    return max(cost_of(one) for one in (asset, survivor) if one is not None)

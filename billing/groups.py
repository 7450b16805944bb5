"""Groups of duplicates: one root, and what is decided to be the same deliverable as it."""

from __future__ import annotations

from django.db.models import Q

from billing.models import Duplicate, DuplicateStatus
from once_delivery.review.models import Asset


def root_of(asset: Asset, *, but: Asset | None = None) -> Asset:
    """The survivor of the group that ``asset`` is in, itself where it is nobody's duplicate (nor any but ``but``'s)."""
    rows = Duplicate.objects.filter(asset=asset, status=DuplicateStatus.DECIDED).select_related("survivor")
    found = rows.exclude(survivor=but).first() if but is not None else rows.first()
    return found.survivor if found else asset


def merge(asset: Asset, root: Asset) -> None:
    """What has counted as a duplicate of ``asset`` is one of ``root`` now."""
    Duplicate.objects.filter(Q(survivor=asset) & ~Q(asset=root), status=DuplicateStatus.DECIDED).update(
        survivor=root
    )
    Duplicate.objects.filter(asset=root, survivor=asset).delete()  # the other way round, so far


def rejoin(asset: Asset) -> None:
    """The group that ``asset`` left as its survivor, when it stopped counting, has it back as a member."""
    if Duplicate.objects.filter(asset=asset, status=DuplicateStatus.DECIDED).exists():
        return
    row = Duplicate.objects.filter(survivor=asset, status=DuplicateStatus.PROMOTED).order_by("-pk").first()
    if row is not None:
        Duplicate.objects.filter(asset=asset).delete()
        row.asset_id, row.survivor_id, row.status = asset.pk, row.asset_id, DuplicateStatus.DECIDED
        row.save(update_fields=["asset", "survivor", "status"])

"""Groups of duplicates: one root, and what is decided to be the same deliverable as it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from billing.models import Duplicate, DuplicateStatus
from once_delivery.accounts.models import Project
from once_delivery.review.models import Asset


def root_of(asset: Asset, *, but: Asset | None = None) -> Asset:
    """The survivor of the group that ``asset`` is in, itself where it is nobody's duplicate (nor any but ``but``'s).

    Of one that left its group as its survivor, when it stopped counting, it is who leads that group since.
    """
    found, passed = asset, {asset.pk} | ({but.pk} if but is not None else set())
    while True:
        rows = Duplicate.objects.filter(asset=found, status=DuplicateStatus.DECIDED).exclude(survivor=but)
        row = rows.select_related("survivor").first()
        if row is not None:
            return row.survivor
        stand_in = _stand_ins(found).exclude(asset__in=passed).select_related("asset").first()
        if stand_in is None:
            return found
        found = stand_in.asset
        passed.add(found.pk)


@dataclass(frozen=True, slots=True)
class Together:
    """Who is of one group at this moment, in one look: a pull comes to every pair that was ever decided.

    What is of one group stays so while groups are merged, and while another of them comes to lead.
    """

    roots: Mapping[int, int]  # by duplicate
    stood_in_for: Collection[int]

    @classmethod
    def of(cls, project: Project) -> Together:
        rows = Duplicate.objects.filter(project=project)
        return cls(
            dict(rows.filter(status=DuplicateStatus.DECIDED).values_list("asset", "survivor")),
            set(rows.filter(status=DuplicateStatus.PROMOTED).values_list("survivor", flat=True)),
        )

    def are_one(self, asset_id: int, other_id: int) -> bool:
        """False where it takes ``root_of`` to tell."""
        root = self.roots.get(asset_id)
        if root is None:
            return False
        return root == self.roots.get(other_id) or (root == other_id and root not in self.stood_in_for)


def merge(asset: Asset, root: Asset) -> None:
    """What has counted as a duplicate of ``asset``, or in its place, is one of ``root`` now, and so is in whose place it
    has counted itself."""
    _keep_whom_it_stands_in_for(asset, root)
    leaders = [asset.pk, *_stand_ins(asset).exclude(asset=root).values_list("asset", flat=True)]
    decided = Q(survivor__in=leaders, status=DuplicateStatus.DECIDED)
    in_its_place = Q(survivor=asset, status=DuplicateStatus.PROMOTED)
    Duplicate.objects.filter(decided | in_its_place).exclude(asset=root).update(
        survivor=root, status=DuplicateStatus.DECIDED
    )
    Duplicate.objects.filter(asset=root, survivor=asset).delete()  # the other way round, so far


def part(asset: Asset, root: Asset) -> None:
    """``asset`` is a deliverable of its own beside ``root``: what is one with it stays so, also in whose place it counts."""
    _keep_whom_it_stands_in_for(asset, asset, but=root)
    Duplicate.objects.filter(asset=root, survivor=asset).delete()  # the other way round, so far


def _stand_ins(asset: Asset) -> QuerySet[Duplicate]:
    """Who counts in the place of ``asset``, which led their group."""
    return Duplicate.objects.filter(survivor=asset, status=DuplicateStatus.PROMOTED).order_by("-pk")


def _keep_whom_it_stands_in_for(asset: Asset, root: Asset, *, but: Asset | None = None) -> None:
    """In whose place ``asset`` counts is a member of the group of ``root`` from now on, out as it is."""
    rows = Duplicate.objects.filter(asset=asset, status=DuplicateStatus.PROMOTED).exclude(
        survivor__in=[one for one in (root, but) if one is not None]
    )
    gone = Asset.objects.filter(duplicates__in=rows).first()
    if gone is None or Duplicate.objects.filter(asset=gone, status=DuplicateStatus.DECIDED).exists():
        return
    Duplicate.objects.filter(asset=gone).delete()
    row = rows.get()  # read after that: it may have followed what is deleted
    row.pk, row.asset, row.survivor, row.status = None, gone, root, DuplicateStatus.DECIDED
    row.save(force_insert=True)


def rejoin(asset: Asset) -> None:
    """The group that ``asset`` left as its survivor, when it stopped counting, has it back as a member."""
    if Duplicate.objects.filter(asset=asset, status=DuplicateStatus.DECIDED).exists():
        return
    row = _stand_ins(asset).first()
    if row is not None:
        Duplicate.objects.filter(asset=asset).delete()
        row.asset_id, row.survivor_id, row.status = asset.pk, row.asset_id, DuplicateStatus.DECIDED
        row.save(update_fields=["asset", "survivor", "status"])

"""Count a group of duplicates: exactly one of them, the earliest accepted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from django.db import transaction
from django.db.models import Sum

from billing.counting import Group, Member, judged
from billing.locking import lock_books
from billing.models import Duplicate, DuplicateStatus, UnitReason
from billing.months import day_at
from billing.services.post_units import NewUnit, post_units
from once_delivery.accounts.models import Project
from once_delivery.review.models import Asset


def count_group(
    *, project: Project, root_id: int, actor: str, automatic: bool = False, approval_id: int | None = None
) -> int:
    """Afterwards one asset of the group of ``root_id`` counts: the earliest accepted that was not taken back.

    The others name it as their survivor. Returns how many units were
    posted; counted right already, nothing is. Raises what ``post_units`` raises.
    """
    with transaction.atomic():
        lock_books([project.pk])
        rows = list(
            Duplicate.objects.select_for_update().filter(
                project=project, survivor=root_id, status=DuplicateStatus.DECIDED
            )
        )
        assets = {
            one.pk: one
            for one in Asset.objects.filter(pk__in=[root_id, *(row.asset_id for row in rows)]).annotate(
                units=Sum("unit_entries__sign")
            )
        }
        group = judged([_member(asset) for asset in assets.values()])
        if group.survivor_id is not None and group.survivor_id != root_id:
            _hand_over(rows, assets[root_id], group.survivor_id)
        units = list(_units(project, group, assets, approval_id))
        return post_units(project=project, units=units, actor=actor, automatic=automatic)


def _member(asset: Asset) -> Member:
    return Member(asset.pk, asset.accepted_at, asset.withdrawn_at is not None, asset.units == 1)  # type: ignore[attr-defined]


def _hand_over(rows: Iterable[Duplicate], root: Asset, survivor_id: int) -> None:
    """The new survivor is nobody's duplicate; the others are its, the old root too unless it was taken back."""
    for row in rows:
        if row.asset_id != survivor_id:
            row.survivor_id = survivor_id
            row.save(update_fields=["survivor"])
            continue
        if root.withdrawn_at is None:
            Duplicate.objects.filter(asset=root).exclude(status=DuplicateStatus.DECIDED).delete()
            row.asset_id, row.survivor_id = root.pk, survivor_id
            row.save(update_fields=["asset", "survivor"])
        else:
            row.status = DuplicateStatus.DISMISSED
            row.save(update_fields=["status"])


def _units(
    project: Project, group: Group, assets: Mapping[int, Asset], approval_id: int | None
) -> Iterator[NewUnit]:
    for asset_id in group.no_more:
        asset = assets[asset_id]
        taken_back = asset.withdrawn_at is not None
        yield NewUnit(
            asset_id,
            UnitReason.ACCEPTANCE_REVOKED if taken_back else UnitReason.DUPLICATE_FOUND,
            day_at(project, asset.accepted_at),
            survivor_id=None if taken_back else group.survivor_id,
            approval_id=approval_id,
        )
    if group.promoted is not None:
        yield NewUnit(
            group.promoted,
            UnitReason.SURVIVOR_PROMOTED,
            day_at(project, assets[group.promoted].accepted_at),
        )

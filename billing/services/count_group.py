"""Count a group of duplicates: exactly one of them, the earliest accepted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from billing.counting import Group, Member, judged
from billing.locking import lock_books
from billing.models import Duplicate, DuplicateStatus, UnitEntry, UnitReason
from billing.months import day_at
from billing.services.post_units import NewUnit, post_units
from once_delivery.accounts.models import Project
from once_delivery.review.models import Asset
from once_delivery.review.revocations import REVOKED


def count_group(
    *, project: Project, root_id: int, actor: str, automatic: bool = False, approval_id: int | None = None
) -> int:
    """Afterwards one asset of the group of ``root_id`` counts: the earliest accepted that was neither taken back, as
    far as the client agreed, nor superseded where the terms count the latest version only.

    The others name it as their survivor. Returns how many units were posted; counted right already, nothing is. Raises
    what ``post_units`` raises.
    """
    with transaction.atomic():
        lock_books([project.pk])
        rows = list(
            Duplicate.objects.select_for_update().filter(
                project=project, survivor=root_id, status=DuplicateStatus.DECIDED
            )
        )
        assets = _read([root_id, *(row.asset_id for row in rows)])
        group = judged(
            [Member(pk, one.asset.accepted_at, one.out, one.counted) for pk, one in assets.items()]
        )
        if group.survivor_id is not None and group.survivor_id != root_id:
            _hand_over(rows, assets[root_id], group.survivor_id)
        units = list(_units(project, group, assets, approval_id))
        return post_units(project=project, units=units, actor=actor, automatic=automatic)


@dataclass(frozen=True, slots=True)
class _One:
    """An asset of the group; ``out``: taken back, as far as the client agreed, or superseded by a later version."""

    asset: Asset
    counted: bool
    out: bool


def _read(ids: Sequence[int]) -> dict[int, _One]:
    entries: dict[int, list[UnitEntry]] = defaultdict(list)
    for entry in UnitEntry.objects.filter(asset__in=ids).order_by("seq"):
        entries[entry.asset_id].append(entry)
    revoked = set(Asset.objects.filter(REVOKED, pk__in=ids).values_list("pk", flat=True))
    return {
        asset.pk: _One(
            asset,
            counted=sum(one.sign for one in entries[asset.pk]) == 1,
            out=asset.pk in revoked
            or (bool(entries[asset.pk]) and entries[asset.pk][-1].reason == UnitReason.ACCEPTANCE_REVOKED),
        )
        for asset in Asset.objects.filter(pk__in=ids)
    }


def _hand_over(rows: Iterable[Duplicate], root: _One, survivor_id: int) -> None:
    """The new survivor is nobody's duplicate; the others are its, the old root too unless it is out."""
    for row in rows:
        if row.asset_id != survivor_id:
            row.survivor_id = survivor_id
            row.save(update_fields=["survivor"])
            continue
        if not root.out:
            Duplicate.objects.filter(asset=root.asset).exclude(status=DuplicateStatus.DECIDED).delete()
            row.asset_id, row.survivor_id = root.asset.pk, survivor_id
            row.save(update_fields=["asset", "survivor"])
        else:
            row.status = DuplicateStatus.DISMISSED
            row.save(update_fields=["status"])


def _units(
    project: Project, group: Group, assets: Mapping[int, _One], approval_id: int | None
) -> Iterator[NewUnit]:
    for asset_id in group.no_more:
        one = assets[asset_id]
        yield NewUnit(
            asset_id,
            UnitReason.ACCEPTANCE_REVOKED if one.out else UnitReason.DUPLICATE_FOUND,
            day_at(project, one.asset.accepted_at),
            survivor_id=None if one.out else group.survivor_id,
            approval_id=approval_id,
        )
    if group.promoted is not None:
        yield NewUnit(
            group.promoted,
            UnitReason.SURVIVOR_PROMOTED,
            day_at(project, assets[group.promoted].asset.accepted_at),
        )

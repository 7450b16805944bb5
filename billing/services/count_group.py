"""Count a group of duplicates: exactly one of them, the earliest accepted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from billing.counting import Group, Member, judged
from billing.groups import group_of
from billing.locking import lock_books
from billing.models import UnitEntry, UnitReason
from billing.months import day_at
from billing.services.count_acceptance import count_acceptances, unit_taken_back
from billing.services.post_units import NewUnit, post_units
from billing.superseded import Superseded, superseded
from once_delivery.accounts.models import Project
from once_delivery.review.models import Asset
from once_delivery.review.revocations import REVOKED


@dataclass(frozen=True, slots=True)
class Because:
    """Of a person's decision: on which approval, and what it says of who counts from now on."""

    approval_id: int | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)


def count_group(
    *,
    project: Project,
    asset_id: int,
    actor: str,
    automatic: bool = False,
    because: Because | None = None,
    later: Mapping[int, Superseded] | None = None,
) -> int:
    """Afterwards one asset of the group of ``asset_id`` counts: the earliest accepted that was neither taken back, as
    far as the client agreed, nor superseded where the terms count the latest version only.

    The others name it as their survivor. An acceptance that no pull has come to yet is counted first. ``later``: what is
    superseded, if the caller has asked. Returns how many units were posted; counted right already, nothing is. Raises
    what ``post_units`` raises.
    """
    with transaction.atomic():
        lock_books([project.pk])
        ids = sorted(group_of(asset_id))
        posted = count_acceptances(project=project, asset_ids=ids, actor=actor, automatic=automatic)
        assets = _read(ids, superseded(project, ids) if later is None else later)
        group = judged(
            [Member(pk, one.asset.accepted_at, one.out, one.counted) for pk, one in assets.items()]
        )
        units = list(_units(project, group, assets, because or Because()))
        return posted + post_units(project=project, units=units, actor=actor, automatic=automatic)


@dataclass(frozen=True, slots=True)
class _One:
    """An asset of the group, and what of it is in the ledger."""

    asset: Asset
    entries: Sequence[UnitEntry]
    revoked: bool  # as far as the client agreed
    superseded: Superseded | None

    @property
    def counted(self) -> bool:
        return sum(one.sign for one in self.entries) == 1

    @property
    def out(self) -> bool:
        return self.revoked or self.superseded is not None


def _read(ids: Sequence[int], later: Mapping[int, Superseded]) -> dict[int, _One]:
    entries: dict[int, list[UnitEntry]] = defaultdict(list)
    for entry in UnitEntry.objects.filter(asset__in=ids).order_by("seq"):
        entries[entry.asset_id].append(entry)
    revoked = set(Asset.objects.filter(REVOKED, pk__in=ids).values_list("pk", flat=True))
    return {
        asset.pk: _One(asset, entries[asset.pk], asset.pk in revoked, later.get(asset.pk))
        for asset in Asset.objects.filter(pk__in=ids).select_related("revocation")
    }


def _units(project: Project, group: Group, assets: Mapping[int, _One], because: Because) -> Iterator[NewUnit]:
    for asset_id in group.no_more:
        one = assets[asset_id]
        if one.revoked:
            yield unit_taken_back(project, one.asset)
            continue
        yield NewUnit(
            asset_id,
            UnitReason.ACCEPTANCE_REVOKED if one.superseded else UnitReason.DUPLICATE_FOUND,
            day_at(project, one.asset.accepted_at),
            survivor_id=None if one.superseded else group.survivor_id,
            approval_id=because.approval_id,
            evidence=one.superseded.evidence if one.superseded else {},
        )
    if group.promoted is not None:
        one = assets[group.promoted]
        yield NewUnit(
            group.promoted,
            UnitReason.SURVIVOR_PROMOTED,
            day_at(project, one.asset.accepted_at),
            approval_id=because.approval_id if because.evidence else None,
            evidence=because.evidence or _in_place_of(one),
        )


def _in_place_of(one: _One) -> dict[str, str]:
    """The newer version that was taken back, where that had superseded it."""
    said = one.entries[-1].evidence if one.entries else {}
    return {"in_place_of": said["superseded_by"]} if "superseded_by" in said else {}

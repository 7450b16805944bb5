"""Pull units from what was accepted, and taken back."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.db.models import OuterRef, Subquery

from billing.counted import counting, not_counted_yet
from billing.groups import Groups
from billing.held import held_months
from billing.locking import lock_books
from billing.models import UnitEntry, UnitReason
from billing.months import day_at, month_of
from billing.refusals import PostingRefusedError
from billing.services.count_acceptance import unit_of, unit_taken_back
from billing.services.count_group import count_group
from billing.services.leave_out import Left
from billing.services.post_units import NewUnit, post_units
from billing.superseded import Superseded, may_be_superseded, superseded
from once_delivery.accounts.models import Project
from once_delivery.review.models import Asset
from once_delivery.review.revocations import REVOKED

ACTOR = "pull_units"


@dataclass(frozen=True, slots=True)
class Pulled:
    """How many units were posted, and the codes of what the ledger refused: that was left out, and nothing else."""

    posted: int
    refused: tuple[str, ...] = ()


def pull_units(*, project: Project) -> Pulled:
    """Afterwards each accepted asset counts as one, and one whose acceptance was taken back as none.

    What was taken back counts on until the client has agreed, or until the task is accepted again (``REVOKED``). Where
    the terms count the latest version only, an accepted version that a newer accepted one supersedes counts no more,
    until that one is taken back. Of duplicates one counts, whenever they were decided (``count_group``). A second pull
    posts nothing. What the ledger refuses is left out and told; months on hold wait.
    """
    with transaction.atomic():
        lock_books([project.pk])
        held, left = held_months(project), Left()

        def post(units: Iterable[NewUnit]) -> int:
            return _post(project, (one for one in units if month_of(one.origin) not in held), left)

        # each sees what was posted for the one before
        posted = post(_accepted(project, held)) + post(_revoked(project))
        later = superseded(project)
        posted += post(_superseded(project, later))
        return Pulled(posted + _count_groups(project, later, left), left.refused)


def _post(project: Project, units: Iterable[NewUnit], left: Left) -> int:
    """All in one; where one of them is refused, one by one."""
    listed = list(units)
    try:
        return post_units(project=project, units=listed, actor=ACTOR, automatic=True)
    except PostingRefusedError:
        posted = 0
        for unit in listed:
            with left.out("unit", unit.asset_id):
                posted += post_units(project=project, units=[unit], actor=ACTOR, automatic=True)
        return posted


def _accepted(project: Project, held: Collection[date]) -> Iterator[NewUnit]:
    fresh = list(not_counted_yet(project).order_by("accepted_at", "pk").only("task", "accepted_at", "review"))
    # asked after them: what is accepted anew between the two questions is left to the next pull
    stuck = _stuck(project, held)
    for asset in fresh:
        if asset.task_id not in stuck:
            yield unit_of(project, asset)


def _stuck(project: Project, held: Collection[date]) -> set[int]:
    """Tasks whose earlier acceptance still counts, since its month is on hold: the new one waits, or both would count."""
    earlier = counting(project).filter(REVOKED).values_list("task", "accepted_at")
    return {task for task, at in earlier if month_of(day_at(project, at)) in held}


def _revoked(project: Project) -> Iterator[NewUnit]:
    for asset in counting(project).filter(REVOKED).select_related("revocation"):
        yield unit_taken_back(project, asset)


def _superseded(project: Project, later: Mapping[int, Superseded]) -> Iterator[NewUnit]:
    for asset in counting(project).filter(pk__in=later):
        by = later[asset.pk]
        yield NewUnit(
            asset.pk,
            UnitReason.ACCEPTANCE_REVOKED,
            day_at(project, asset.accepted_at),
            evidence=by.evidence,
        )


def _count_groups(project: Project, later: Mapping[int, Superseded], left: Left) -> int:
    """Each group of which not just one counts, and what nothing supersedes any more; months on hold wait."""
    posted = 0
    for what, asset_id in (
        *(("asset", pk) for pk in _not_superseded_any_more(project, later)),
        *(("group", pk) for pk in _groups_to_count(project, later)),
    ):
        with left.out(what, asset_id):
            posted += count_group(
                project=project, asset_id=asset_id, actor=ACTOR, automatic=True, later=later
            )
    return posted


def _groups_to_count(project: Project, later: Mapping[int, Superseded]) -> list[int]:
    """One of each group of which not just the earliest accepted counts, of those that are not out."""
    groups = list(Groups.of(project).each())
    members = [pk for group in groups for pk in group]
    counts = set(counting(project).filter(pk__in=members).values_list("pk", flat=True))
    rows = Asset.objects.filter(~REVOKED, pk__in=members).order_by("accepted_at", "pk")
    place = {pk: place for place, pk in enumerate(rows.values_list("pk", flat=True)) if pk not in later}
    wanted = ({min(group & place.keys(), key=place.__getitem__, default=0)} - {0} for group in groups)
    return sorted(min(group) for group, one in zip(groups, wanted, strict=True) if counts & group != one)


def _not_superseded_any_more(project: Project, later: Mapping[int, Superseded]) -> list[int]:
    if not may_be_superseded(project):
        return []
    last = UnitEntry.objects.filter(asset=OuterRef("pk")).order_by("-seq").values("reason")[:1]
    rows = Asset.objects.filter(~REVOKED, project=project).annotate(last=Subquery(last))
    found = rows.filter(last=UnitReason.ACCEPTANCE_REVOKED).order_by("accepted_at", "pk")
    return [pk for pk in found.values_list("pk", flat=True) if pk not in later]

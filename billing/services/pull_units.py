"""Pull units from what was accepted, and taken back."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import date

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Subquery, Sum

from billing.held import held_months
from billing.locking import lock_books
from billing.models import Duplicate, DuplicateStatus, UnitEntry, UnitReason
from billing.months import day_at, month_of
from billing.services.count_group import count_group
from billing.services.open_period import PeriodOnHoldError
from billing.services.post_units import NewUnit, post_units
from billing.terms_on import all_terms, terms_on
from once_delivery.accounts.models import Project
from once_delivery.review.models import Asset, Revocation
from once_delivery.review.revocations import REVOKED

ACTOR = "pull_units"


def pull_units(*, project: Project) -> int:
    """Afterwards each accepted asset counts as one, and one whose acceptance was taken back as none.

    What was taken back counts on until the client has agreed, or until the task is accepted again (``REVOKED``). Where
    the terms count the latest version only, an accepted version that a newer accepted one supersedes counts no more. The
    next accepted one of their duplicates is promoted. A second pull posts nothing. Returns how many entries were posted.
    Raises what ``post_units`` raises.
    """
    with transaction.atomic():
        lock_books([project.pk])
        held = held_months(project)
        accepted = post_units(project=project, units=_accepted(project, held), actor=ACTOR, automatic=True)
        revoked = [unit for unit in _revoked(project) if month_of(unit.origin) not in held]
        superseded = [unit for unit in _superseded(project) if month_of(unit.origin) not in held]
        lost = post_units(project=project, units=[*revoked, *superseded], actor=ACTOR, automatic=True)
        return accepted + lost + _promote(project)


def _accepted(project: Project, held: Collection[date]) -> Iterator[NewUnit]:
    counted = UnitEntry.objects.filter(asset=OuterRef("pk"), reason=UnitReason.ACCEPTED)
    rows = Asset.objects.filter(~Exists(counted), project=project).order_by("accepted_at", "pk")
    fresh = list(rows.only("task", "accepted_at", "review"))
    # asked after them: what is accepted anew between the two questions is left to the next pull
    stuck = _stuck(project, held)
    for asset in fresh:
        origin = day_at(project, asset.accepted_at)
        if month_of(origin) not in held and asset.task_id not in stuck:
            yield NewUnit(
                asset.pk,
                UnitReason.ACCEPTED,
                origin,
                source_key=f"asset:{asset.pk}:accepted",
                evidence={"review": asset.review_id},
            )


def _stuck(project: Project, held: Collection[date]) -> set[int]:
    """Tasks whose earlier acceptance still counts, since its month is on hold: the new one waits, or both would count."""
    earlier = _counting(project).filter(REVOKED).values_list("task", "accepted_at")
    return {task for task, at in earlier if month_of(day_at(project, at)) in held}


def _counting(project: Project) -> QuerySet[Asset]:
    """Assets whose units sum to 1."""
    return Asset.objects.filter(project=project).annotate(units=Sum("unit_entries__sign")).filter(units=1)


def _revoked(project: Project) -> Iterator[NewUnit]:
    for asset in _counting(project).filter(REVOKED).select_related("revocation"):
        yield NewUnit(
            asset.pk,
            UnitReason.ACCEPTANCE_REVOKED,
            day_at(project, asset.accepted_at),
            source_key=f"asset:{asset.pk}:revoked",
            evidence=_why(asset),
        )


def _why(asset: Asset) -> dict[str, str]:
    said = {"withdrawn_at": asset.withdrawn_at.isoformat() if asset.withdrawn_at else ""}
    revocation: Revocation | None = getattr(asset, "revocation", None)
    if revocation is not None:
        said |= {"revocation": str(revocation.uuid), "agreed": revocation.status}
    return said


def _superseded(project: Project) -> Iterator[NewUnit]:
    versions = all_terms(project.pk)
    if not any(one.counts_latest_only for one in versions):
        return
    newer = Asset.objects.filter(
        ~REVOKED,
        task__product=OuterRef("task__product"),
        task__locale=OuterRef("task__locale"),
        task__purpose=OuterRef("task__purpose"),
        task__input_version__number__gt=OuterRef("task__input_version__number"),
    ).order_by("accepted_at")
    rows = _counting(project).filter(~REVOKED).annotate(later=Subquery(newer.values("pk")[:1]))
    found = list(rows.exclude(later=None))
    laters = Asset.objects.in_bulk([asset.later for asset in found])
    for asset in found:
        later = laters[asset.later]
        terms = terms_on(versions, day_at(project, later.accepted_at))
        if terms is not None and terms.counts_latest_only:
            yield NewUnit(
                asset.pk,
                UnitReason.ACCEPTANCE_REVOKED,
                day_at(project, asset.accepted_at),
                source_key=f"asset:{asset.pk}:superseded",
                evidence={"superseded_by": str(later.uuid), "terms": terms.number},
            )


def _promote(project: Project) -> int:
    """A survivor that counts no more leaves its place to the next of its group; one of a month on hold waits for it."""
    counts = UnitEntry.objects.filter(asset=OuterRef("survivor")).order_by().values("asset")
    gone = Duplicate.objects.filter(project=project, status=DuplicateStatus.DECIDED).annotate(
        units=Subquery(counts.annotate(units=Sum("sign")).values("units"))
    )
    posted = 0
    for root in set(gone.filter(units=0).values_list("survivor_id", flat=True)):
        with suppress(PeriodOnHoldError), transaction.atomic():
            posted += count_group(project=project, root_id=root, actor=ACTOR, automatic=True)
    return posted

"""Count acceptances: one for each that was accepted, none for one that was taken back for good."""

from __future__ import annotations

from collections.abc import Collection

from billing.counted import counting, not_counted_yet
from billing.models import UnitReason
from billing.months import day_at
from billing.services.post_units import NewUnit, post_units
from once_delivery.accounts.models import Project
from once_delivery.review.models import Asset, Revocation
from once_delivery.review.revocations import REVOKED


def unit_of(project: Project, asset: Asset) -> NewUnit:
    """What is posted for an acceptance, once."""
    return NewUnit(
        asset.pk,
        UnitReason.ACCEPTED,
        day_at(project, asset.accepted_at),
        source_key=f"asset:{asset.pk}:accepted",
        evidence={"review": asset.review_id},
    )


def unit_taken_back(project: Project, asset: Asset) -> NewUnit:
    """What is posted for an acceptance that counts and was taken back for good, once."""
    said = {"withdrawn_at": asset.withdrawn_at.isoformat() if asset.withdrawn_at else ""}
    revocation: Revocation | None = getattr(asset, "revocation", None)
    if revocation is not None:
        said |= {"revocation": str(revocation.uuid), "agreed": revocation.status}
    return NewUnit(
        asset.pk,
        UnitReason.ACCEPTANCE_REVOKED,
        day_at(project, asset.accepted_at),
        source_key=f"asset:{asset.pk}:revoked",
        evidence=said,
    )


def count_acceptances(*, project: Project, asset_ids: Collection[int], actor: str, automatic: bool) -> int:
    """Afterwards each of these acceptances is counted, and no earlier one of the same task beside it.

    One that was taken back for good before it was counted is left to ``pull_units``. Returns how many units were
    posted. Raises what ``post_units`` raises.
    """
    fresh = list(not_counted_yet(project).filter(~REVOKED, pk__in=asset_ids).order_by("accepted_at", "pk"))
    if not fresh:
        return 0
    tasks = {asset.task_id for asset in fresh}
    earlier = counting(project).filter(REVOKED, task__in=tasks).select_related("revocation")
    units = [
        *(unit_taken_back(project, asset) for asset in earlier),
        *(unit_of(project, asset) for asset in fresh),
    ]
    return post_units(project=project, units=units, actor=actor, automatic=automatic)

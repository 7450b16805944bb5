"""Accepted versions that a newer accepted one supersedes, where the terms count the latest version only."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import OuterRef, Q, Subquery

from billing.counted import counting
from billing.models import Terms
from billing.months import begin_of, day_at
from billing.terms_on import all_terms, terms_on
from once_delivery.accounts.models import Project
from once_delivery.review.models import Asset
from once_delivery.review.revocations import REVOKED


@dataclass(frozen=True, slots=True)
class Superseded:
    """Which newer one, and by which version of the terms."""

    by: Asset
    terms: int

    @property
    def evidence(self) -> dict[str, object]:
        """As it is written in the ledger of units."""
        return {"superseded_by": str(self.by.uuid), "terms": self.terms}


def may_be_superseded(project: Project) -> bool:
    """Whether any version of its terms counts the latest version only: versions stay, so else nothing ever was."""
    return any(one.counts_latest_only for one in all_terms(project.pk))


def superseded(project: Project, asset_ids: Collection[int] | None = None) -> dict[int, Superseded]:
    """Of ``asset_ids``, or of all that were not taken back for good: those that are superseded now.

    Each newer version counts that was accepted under terms that count the latest one only. It must not have been taken
    back for good: when it is, and counts no more, the older one does again.
    """
    versions = all_terms(project.pk)
    latest_only = _under_latest_only(project, versions)
    if not latest_only:
        return {}
    still_counting = list(
        counting(project).filter(REVOKED).values_list("pk", flat=True)
    )  # their month is on hold
    newer = Asset.objects.filter(
        ~REVOKED | Q(pk__in=still_counting),
        latest_only,
        task__product=OuterRef("task__product"),
        task__locale=OuterRef("task__locale"),
        task__purpose=OuterRef("task__purpose"),
        task__input_version__number__gt=OuterRef("task__input_version__number"),
    ).order_by("accepted_at", "pk")
    rows = Asset.objects.filter(~REVOKED, project=project)
    if asset_ids is not None:
        rows = rows.filter(pk__in=asset_ids)
    found = dict(
        rows.annotate(later=Subquery(newer.values("pk")[:1])).exclude(later=None).values_list("pk", "later")
    )
    laters = Asset.objects.in_bulk(set(found.values()))
    told = {}
    for asset_id, later_id in found.items():
        later = laters[later_id]
        terms = terms_on(versions, day_at(project, later.accepted_at))
        if terms is not None:
            told[asset_id] = Superseded(later, terms.number)
    return told


def _under_latest_only(project: Project, versions: Sequence[Terms]) -> Q:
    """Accepted on a day whose terms count the latest version only; empty where there is no such day."""
    days = sorted({one.valid_from for one in versions})
    found = Q()
    for begins, ends in zip(days, [*days[1:], None], strict=True):
        terms = terms_on(versions, begins)
        if terms is not None and terms.counts_latest_only:
            until = Q() if ends is None else Q(accepted_at__lt=begin_of(project, ends))
            found |= Q(accepted_at__gte=begin_of(project, begins)) & until
    return found

"""Assets that may be one deliverable, and what was decided about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, Sum
from django.shortcuts import get_object_or_404

from billing.models import (
    Duplicate,
    DuplicateDecision,
    DuplicateProposal,
    DuplicateStatus,
    UnitEntry,
)
from once_delivery.accounts.models import Project
from once_delivery.review.models import Asset
from once_delivery.ui.paging import Page, newest_first
from reconciliation.models import Approval, ApprovalStatus

PAGE = 50
VIEWS = {
    "open": (DuplicateStatus.SUGGESTED,),
    "decided": tuple(status for status in DuplicateStatus if status != DuplicateStatus.SUGGESTED),
}
OTHERS = 20
_TASK = ("task__product", "task__input_version")
_LONG = tuple(f"{side}__task__input_version__content" for side in ("asset", "survivor"))


@dataclass(frozen=True, slots=True)
class Pair:
    """One row: the two, and how many units the later one is now."""

    duplicate: Duplicate
    units: int


@dataclass(frozen=True, slots=True)
class Duplicates:
    """One page, and how many wait."""

    page: Page[Duplicate]
    pairs: tuple[Pair, ...]
    view: str
    waiting: int


def duplicates_of(project: Project, asked: Mapping[str, str]) -> Duplicates:
    """Those that wait for a decision, or those that have one; newest first."""
    view = asked.get("view", "open")
    found = Duplicate.objects.filter(project=project)
    listed = (
        found.filter(status__in=VIEWS.get(view, VIEWS["open"]))
        .select_related(
            *(f"{side}__{name}" for side in ("asset", "survivor") for name in _TASK),
            "decided_by",
            "second",
            "finding",
            "proposal",
        )
        .defer(*_LONG)
    )
    page = newest_first(listed, key=asked.get("before", ""), size=PAGE)
    counted = dict(
        Asset.objects.filter(pk__in=[row.asset_id for row in page.rows])
        .annotate(units=Sum("unit_entries__sign"))
        .values_list("pk", "units")
    )
    return Duplicates(
        page=page,
        pairs=tuple(Pair(row, counted.get(row.asset_id) or 0) for row in page.rows),
        view=view if view in VIEWS else "open",
        waiting=found.filter(status=DuplicateStatus.SUGGESTED).count(),
    )


def duplicate_of(project: Project, pk: int) -> Duplicate:
    """One pair of this project, or 404."""
    return get_object_or_404(
        Duplicate.objects.select_related(
            "project",
            *(f"{side}__{name}" for side in ("asset", "survivor") for name in (*_TASK, "draft", "project")),
            "asset__revocation",
            "survivor__revocation",
            "decided_by",
            "second",
            "approval__answered_by",
            "follows",
        ),
        project=project,
        pk=pk,
    )


def decisions_about(duplicate: Duplicate) -> list[DuplicateDecision]:
    """Everything that was said of the pair, latest first."""
    rows = duplicate.decisions.select_related("decided_by", "second", "approval__answered_by")
    return list(rows.order_by("-pk"))


def other_pairs_of(duplicate: Duplicate) -> list[Duplicate]:
    """What else is said of either of the two."""
    either = Q(asset__in=_sides(duplicate)) | Q(survivor__in=_sides(duplicate))
    rows = Duplicate.objects.filter(either).exclude(pk=duplicate.pk)
    names = (f"{side}__{name}" for side in ("asset", "survivor") for name in _TASK)
    return list(rows.select_related(*names, "decided_by").defer(*_LONG).order_by("-pk")[:OTHERS])


def units_of(duplicate: Duplicate) -> dict[int, int]:
    """How many units each of the two is now."""
    rows = UnitEntry.objects.filter(asset__in=_sides(duplicate)).values_list("asset")
    return dict.fromkeys(_sides(duplicate), 0) | dict(rows.annotate(units=Sum("sign")))


def _sides(duplicate: Duplicate) -> tuple[int, int]:
    return duplicate.asset_id, duplicate.survivor_id


def proposal_of(duplicate: Duplicate) -> DuplicateProposal | None:
    """What waits for a second person."""
    return DuplicateProposal.objects.filter(duplicate=duplicate).select_related("proposed_by").first()


def approvals_for(project: Project) -> list[Approval]:
    """The client's approvals that are on file, newest first."""
    return list(
        Approval.objects.filter(project=project, status=ApprovalStatus.GIVEN)
        .select_related("answered_by")
        .order_by("-pk")[:100]
    )


def approval_by(project: Project, text: str) -> Approval | None:
    """The approval that a form names; None for none."""
    try:
        wanted = UUID(text)
    except ValueError:
        return None
    return Approval.objects.filter(project=project, uuid=wanted).first()

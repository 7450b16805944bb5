"""Pull duplicates: what is one deliverable twice for certain is decided, what only looks alike is suggested."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models import Exists, OuterRef

from billing.held import held_months
from billing.locking import lock_books
from billing.models import Cause, Duplicate, DuplicateStatus
from billing.months import day_at, month_of
from billing.services.count_group import count_group
from once_delivery.accounts.models import Project
from once_delivery.ledger.clock import database_now
from once_delivery.review.models import Asset
from reconciliation.models import Finding, FindingKind

ACTOR = "pull_duplicates"


@dataclass(frozen=True, slots=True)
class Found:
    """How many duplicates are certain and were counted out, and how many are only suggested."""

    decided: int
    suggested: int


def pull_duplicates(*, project: Project) -> Found:
    """Afterwards each accepted asset that is the same deliverable as an earlier one is its duplicate, and counts no more.

    Certain: two objects with one marker, each of them somebody's asset; or the same text for one product, locale and
    purpose. The same text for another product, and a duplicate that was accepted again, are suggested, for a person to
    decide (``decide_duplicate``). What was decided or dismissed stays. A second pull adds nothing. Raises what ``count_group`` raises.
    """
    with transaction.atomic():
        lock_books([project.pk])
        now = database_now()
        held = held_months(project)
        certain, suggested = 0, 0
        two = _said_to_be_two(project)
        for one in [*_by_marker(project), *_by_content(project), *_by_task(project)]:
            if Duplicate.objects.filter(asset=one.asset).exists():
                continue
            if {one.asset.task_id, one.survivor.task_id} in two:
                one = replace(one, certain_by="")  # noqa: PLW2901 - what a person decided is asked again, not undone
            if one.certain_by and month_of(day_at(project, one.asset.accepted_at)) in held:
                continue
            made = Duplicate.objects.create(
                project=project,
                asset=one.asset,
                survivor=_root(one.survivor),
                status=DuplicateStatus.DECIDED if one.certain_by else DuplicateStatus.SUGGESTED,
                certain_by=one.certain_by,
                cause=Cause.DEDUPE_MISS if one.certain_by else Cause.UNDETERMINED,
                finding=one.finding,
                found_at=now,
                decided_at=now if one.certain_by else None,
            )
            if one.certain_by:
                count_group(project=project, root_id=made.survivor_id, actor=ACTOR, automatic=True)
                certain += 1
            else:
                suggested += 1
        return Found(certain, suggested)


@dataclass(frozen=True, slots=True)
class _Same:
    asset: Asset
    survivor: Asset
    certain_by: str = ""
    finding: Finding | None = None


def _root(asset: Asset) -> Asset:
    """The survivor of the group that ``asset`` is in: a group has one root."""
    row = (
        Duplicate.objects.filter(asset=asset, status=DuplicateStatus.DECIDED)
        .select_related("survivor")
        .first()
    )
    return row.survivor if row else asset


def _by_marker(project: Project) -> Iterator[_Same]:
    """An audit saw several objects with one marker, and more than one of them is an asset."""
    findings = Finding.objects.filter(project=project, kind=FindingKind.DUPLICATE, over_at__isnull=True)
    for finding in findings.select_related("action"):
        ids = [
            str(one.get("result_id", "")) for one in finding.evidence.get("held", []) if isinstance(one, dict)
        ]
        assets = Asset.objects.filter(
            project=project,
            withdrawn_at__isnull=True,
            action__target=finding.target_id,
            action__result_id__in=[one for one in ids if one],
        ).order_by("accepted_at", "pk")
        yield from _pairs(list(assets), "marker", finding)


def _by_content(project: Project) -> Iterator[_Same]:
    """Assets whose text is that of an earlier one, word for word."""
    twins = Asset.objects.filter(
        project=project,
        withdrawn_at__isnull=True,
        draft__content_hash=OuterRef("draft__content_hash"),
        task__locale=OuterRef("task__locale"),
        task__purpose=OuterRef("task__purpose"),
    ).exclude(pk=OuterRef("pk"))
    rows = (
        Asset.objects.filter(Exists(twins), project=project, withdrawn_at__isnull=True)
        .select_related("task", "draft")
        .order_by("accepted_at", "pk")
    )
    groups: dict[tuple[str, str, str], list[Asset]] = defaultdict(list)
    for asset in rows:
        groups[asset.draft.content_hash, asset.task.locale, asset.task.purpose].append(asset)
    for alike in groups.values():
        by_product: dict[int, list[Asset]] = defaultdict(list)
        for asset in alike:
            by_product[asset.task.product_id].append(asset)
        for assets in by_product.values():
            yield from _pairs(assets, "content")
        yield from _pairs([assets[0] for assets in by_product.values()], "")


def _by_task(project: Project) -> Iterator[_Same]:
    """Accepted again after it was taken back: what had been a duplicate may still be one."""
    before = Duplicate.objects.filter(
        project=project, status=DuplicateStatus.DECIDED, asset__withdrawn_at__isnull=False
    )
    rows = before.select_related("asset", "survivor").order_by(
        "-pk"
    )  # of several of one task the first found
    survivors = {row.asset.task_id: row.survivor for row in rows}
    for anew in Asset.objects.filter(task__in=list(survivors), withdrawn_at__isnull=True):
        yield _Same(anew, survivors[anew.task_id])


def _said_to_be_two(project: Project) -> set[frozenset[int]]:
    """Pairs of tasks that a person has decided are two deliverables, whichever of their acceptances that was about."""
    rows = Duplicate.objects.filter(
        project=project,
        status__in=[DuplicateStatus.DISMISSED, DuplicateStatus.WANTED],
        decided_by__isnull=False,
    )
    return {frozenset(pair) for pair in rows.values_list("asset__task", "survivor__task")}


def _pairs(assets: Sequence[Asset], certain_by: str, finding: Finding | None = None) -> Iterator[_Same]:
    """Each later one beside the first."""
    for later in assets[1:]:
        yield _Same(later, assets[0], certain_by, finding)

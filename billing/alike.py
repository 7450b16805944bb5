"""Acceptances that are, or look like, one deliverable: by marker, by content, by what was decided before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet, Value
from django.db.models.functions import Coalesce, NullIf

from billing.models import Duplicate, DuplicateStatus, Reopened
from once_delivery.accounts.models import Project
from once_delivery.review.models import Asset, Draft
from once_delivery.review.revocations import REVOKED
from once_delivery.review.text import hash_of, text_hash_of
from reconciliation.models import Finding, FindingKind

_SIDES = ("asset", "survivor")
_BOTH = tuple(f"{side}__{name}" for side in _SIDES for name in ("task", "draft"))
_LONG = tuple(f"{side}__draft__content" for side in _SIDES)  # which nothing here reads

_NOTHING = hash_of({})  # a target that shows no content says nothing of what is alike


def text_at(of: str = "") -> Coalesce:
    """``text_of`` in a query, of what ``of`` leads to.

    Of drafts that were read before their text was told apart from what it is for it is the whole content.
    """
    return Coalesce(NullIf(f"{of}draft__text_hash", Value("")), f"{of}draft__content_hash")


def text_of(asset: Asset) -> str:
    """What is the same for assets with one text."""
    return asset.draft.text_hash or asset.draft.content_hash


@dataclass(frozen=True, slots=True)
class Alike:
    """Assets that are, or look like, one deliverable, the earliest accepted first; ``certain_by``: marker or content, ""
    where a person must say."""

    assets: Sequence[Asset]
    certain_by: str = ""
    finding: Finding | None = None


def all_alike(project: Project) -> Iterator[Alike]:
    """Among what was accepted and not taken back for good."""
    yield from _by_marker(project)
    yield from _by_content(project)
    yield from _by_task(project)
    yield from _by_earlier_texts(project)


def _standing(project: Project) -> QuerySet[Asset]:
    rows = Asset.objects.filter(~REVOKED, project=project)
    return rows.select_related("task", "draft").defer("draft__content").order_by("accepted_at", "pk")


def _by_marker(project: Project) -> Iterator[Alike]:
    """An audit saw several objects with one marker, and more than one of them is an asset."""
    findings = Finding.objects.filter(project=project, kind=FindingKind.DUPLICATE, over_at__isnull=True)
    for finding in findings.select_related("action"):
        ids = [
            str(one.get("result_id", "")) for one in finding.evidence.get("held", []) if isinstance(one, dict)
        ]
        assets = _standing(project).filter(
            action__target=finding.target_id, action__result_id__in=[one for one in ids if one]
        )
        # a newer version may have updated the object of an older one: those are two, of one object
        by_object: dict[str, Asset] = {}
        for asset in assets.select_related("action"):
            by_object.setdefault(asset.action.result_id, asset)
        yield Alike(list(by_object.values()), "marker", finding)


def _by_content(project: Project) -> Iterator[Alike]:
    """Assets whose text is that of an earlier one, word for word; certain for one product and locale."""
    standing = _standing(project).annotate(text=text_at()).exclude(text=_NOTHING)
    twins = (
        Asset.objects.filter(~REVOKED, project=project, task__purpose=OuterRef("task__purpose"))
        .annotate(text=text_at())
        .filter(text=OuterRef("text"))
        .exclude(pk=OuterRef("pk"))
    )
    groups: dict[tuple[str, str], list[Asset]] = defaultdict(list)
    found = list(standing.filter(Exists(twins)))
    silent = _that_say_nothing(one.draft_id for one in found if not one.draft.text_hash)
    for one in found:
        if one.draft_id not in silent:
            groups[text_of(one), one.task.purpose].append(one)
    for alike in groups.values():
        by_task: dict[tuple[int, str], list[Asset]] = defaultdict(list)
        for asset in alike:
            by_task[asset.task.product_id, asset.task.locale].append(asset)
        for assets in by_task.values():
            yield Alike(assets, "content")
        yield Alike(alike)


def _that_say_nothing(draft_ids: Iterable[int]) -> set[int]:
    """What was read of them is there, and none of it is text. Of what was forgotten the hash alone tells."""
    read = Draft.objects.filter(pk__in=list(draft_ids)).exclude(content={}).values_list("pk", "content")
    return {pk for pk, content in read.iterator() if not text_hash_of(content)}


def _by_task(project: Project) -> Iterator[Alike]:
    """Accepted again after it was taken back: what was one deliverable with another may still be."""
    found = Duplicate.objects.filter(project=project, status=DuplicateStatus.DECIDED).select_related(*_BOTH)
    rows = list(found.defer(*_LONG).order_by("pk"))
    ids = {pk for row in rows for pk in (row.asset_id, row.survivor_id)}
    back = set(Asset.objects.filter(REVOKED, pk__in=ids).values_list("pk", flat=True))
    tasks = {one.task_id for row in rows for one in (row.asset, row.survivor) if one.pk in back}
    anew = {one.task_id: one for one in _standing(project).filter(task__in=tasks)}
    for row in rows:
        now = {
            one.pk: one
            for side in (row.asset, row.survivor)
            if (one := anew.get(side.task_id) if side.pk in back else side)
        }
        if len(now) == len(_SIDES) and set(now) != {row.asset_id, row.survivor_id}:
            yield Alike(sorted(now.values(), key=lambda one: (one.accepted_at, one.pk)))


def _by_earlier_texts(project: Project) -> Iterator[Alike]:
    """Asked about since the text of one of the two changed: it may be back."""
    rows = Duplicate.objects.filter(
        project=project, status=DuplicateStatus.SUGGESTED, reopened=Reopened.TEXT
    ).values_list("asset", "survivor")
    standing = {one.pk: one for one in _standing(project).filter(pk__in={pk for row in rows for pk in row})}
    for asset, survivor in rows:
        if asset in standing and survivor in standing:
            yield Alike([standing[survivor], standing[asset]])

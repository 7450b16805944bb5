"""What people said of pairs, and of which texts: a decision is about two texts, and holds of those."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from billing.alike import text_at, text_of
from billing.models import SAID_TO_BE_TWO, Duplicate, DuplicateDecision, DuplicateStatus
from once_delivery.accounts.models import Project
from once_delivery.review.models import Asset
from once_delivery.review.revocations import REVOKED


@dataclass(frozen=True, slots=True)
class Said:
    """One decision of a person; ``texts``: of each of the two tasks, ``of_objects``: whatever these are."""

    decision_id: int
    pair_id: int
    status: DuplicateStatus
    texts: frozenset[tuple[int, str]]
    of_objects: bool


@dataclass(frozen=True, slots=True)
class SaidBefore:
    """By the two tasks, of whichever acceptances of them; the latest first."""

    _found: Mapping[frozenset[int], Sequence[Said]]

    @classmethod
    def of(cls, project: Project) -> SaidBefore:
        found: dict[frozenset[int], list[Said]] = defaultdict(list)
        rows = DuplicateDecision.objects.filter(duplicate__project=project, decided_by__isnull=False)
        for row in (
            rows.annotate(its=text_at("asset_"), others=text_at("survivor_"))
            .annotate(task=F("duplicate__asset__task"), other=F("duplicate__survivor__task"))
            .annotate(finding=F("duplicate__finding"))
            .order_by("-decided_at", "-pk")
            .values("pk", "duplicate", "status", "certain_by", "task", "its", "other", "others", "finding")
        ):
            texts = frozenset({(row["task"], row["its"]), (row["other"], row["others"])})
            of_objects = row["certain_by"] == "marker" or row["finding"] is not None
            said = Said(row["pk"], row["duplicate"], DuplicateStatus(row["status"]), texts, of_objects)
            found[frozenset({row["task"], row["other"]})].append(said)
        return cls(found)

    def last(self, asset: Asset, other: Asset) -> Said | None:
        """What was said last about the two tasks."""
        return next(iter(self._about(asset, other)), None)

    def last_of_these(self, asset: Asset, other: Asset, *, of_objects: bool) -> Said | None:
        """The same, about the very texts that the two have; ``of_objects``: about the objects that they are."""
        texts = frozenset((one.task_id, text_of(one)) for one in (asset, other))
        for said in self._about(asset, other):
            if said.texts == texts or (of_objects and said.of_objects):
                return said
        return None

    def _about(self, asset: Asset, other: Asset) -> Sequence[Said]:
        return self._found.get(frozenset((asset.task_id, other.task_id)), ())


def _with_texts(project: Project) -> QuerySet[Duplicate]:
    """Pairs of which both stand, and which are not said to be of one object: those stay so, whatever the text."""
    stands = (Exists(Asset.objects.filter(~REVOKED, pk=OuterRef(side))) for side in ("asset", "survivor"))
    rows = Duplicate.objects.filter(*stands, project=project, finding=None).exclude(certain_by="marker")
    return rows.annotate(
        its=text_at("asset__"),
        others=text_at("survivor__"),
        its_then=text_at("asset_"),
        others_then=text_at("survivor_"),
    ).order_by("pk")


def one_no_more(project: Project) -> QuerySet[Duplicate]:
    """Duplicates that were found by their text alone, and have two texts now, or that a person decided about other texts
    than they have now; but for what is certain by the texts that they have now."""
    differ = ~Q(its=F("others")) & ~Q(asset__draft__content_hash=F("survivor__draft__content_hash"))
    alone = Q(certain_by="content", decided_by=None) & differ
    of_one = Q(
        its=F("others"),
        **{f"asset__task__{name}": F(f"survivor__task__{name}") for name in ("product", "locale", "purpose")},
    )
    by_a_person = Q(decided_by__isnull=False) & _CHANGED & ~of_one
    return _with_texts(project).filter(alone | by_a_person, status=DuplicateStatus.DECIDED)


def two_of_other_texts(project: Project) -> QuerySet[Duplicate]:
    """What was said to be two of other texts than they have now."""
    return _with_texts(project).filter(_CHANGED, status__in=SAID_TO_BE_TWO)


_CHANGED = (Q(asset_draft__isnull=False) & ~Q(its=F("its_then")) & ~Q(asset__draft=F("asset_draft"))) | (
    Q(survivor_draft__isnull=False) & ~Q(others=F("others_then")) & ~Q(survivor__draft=F("survivor_draft"))
)

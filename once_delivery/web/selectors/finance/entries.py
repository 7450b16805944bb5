"""The entries behind a figure, and one of them down to the supplier's line and the attempt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404

from billing.models import Bearer, Bucket, Cause, CostEntry, EntryKind, Grade, SubBucket
from billing.reports.scope import Basis
from once_delivery.accounts.models import Project
from once_delivery.ui.paging import Page, newest_first
from once_delivery.web.selectors.uuids import uuid_or_none

PAGE = 100
_CHOICES = {
    "kind": EntryKind,
    "bucket": Bucket,
    "sub_bucket": SubBucket,
    "cause": Cause,
    "bearer": Bearer,
    "grade": Grade,
}
_BY_TASK = {"product": "task__product__code", "locale": "task__locale", "purpose": "task__purpose"}


@dataclass(frozen=True, slots=True)
class Choice:
    """One filter with its words: what may be chosen, and what is."""

    name: str
    options: tuple[tuple[str, str], ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class Entries:
    """One page of the entries that the address asks for, with what all of them sum to."""

    page: Page[CostEntry]
    choices: tuple[Choice, ...]
    narrowed: Mapping[str, str]  # what else the address narrows by, as it is written there


def entries_of(project: Project, asked: Mapping[str, str]) -> Entries:
    """The newest first. What the address says that is no filter is left out."""
    found = _of_months(_of_tasks(CostEntry.objects.filter(project=project), project, asked), asked)
    for name, words in _CHOICES.items():
        if asked.get(name) in words.values:
            found = found.filter(**{name: asked[name]})
    listed = found.select_related(
        "task__product", "task__input_version", "document", "attempt", "case"
    ).defer("task__input_version__content", "document__raw")
    return Entries(
        page=newest_first(listed, key=asked.get("before", ""), size=PAGE),
        choices=tuple(
            Choice(name, tuple((str(value), str(word)) for value, word in words.choices), asked.get(name, ""))
            for name, words in _CHOICES.items()
        ),
        narrowed={
            name: asked[name]
            for name in (
                "first",
                "last",
                "basis",
                "product",
                "locale",
                "purpose",
                "batch",
                "task",
                "document",
            )
            if asked.get(name)
        },
    )


@dataclass(frozen=True, slots=True)
class OneEntry:
    """An entry with what was made of it later."""

    entry: CostEntry
    later: tuple[CostEntry, ...]

    @property
    def net(self) -> Decimal:
        """What is left of it."""
        return self.entry.amount + sum((one.amount for one in self.later if one.reverses_id), Decimal(0))


def entry_of(project: Project, pk: int) -> OneEntry:
    """One entry of this project, or 404."""
    found = get_object_or_404(
        CostEntry.objects.select_related(
            "task__product",
            "task__input_version",
            "document__supplier",
            "supplier_line",
            "attempt__action__target",
            "case",
            "terms",
            "allocation_run",
            "reverses",
            "corrects",
            "approval__proposed_by",
            "approval__answered_by",
        ).defer("task__input_version__content", "document__raw", "attempt__action__payload"),
        project=project,
        pk=pk,
    )
    pair = Q(transfer=found.transfer) if found.transfer else Q(pk__in=())
    later = CostEntry.objects.filter(Q(reverses=found) | Q(corrects=found) | pair, project=project)
    return OneEntry(found, tuple(later.exclude(pk=found.pk).order_by("pk")))


def _of_tasks(found: QuerySet[CostEntry], project: Project, asked: Mapping[str, str]) -> QuerySet[CostEntry]:
    for name, column in _BY_TASK.items():
        if asked.get(name):
            found = found.filter(**{column: asked[name]})
    if asked.get("batch"):
        found = found.filter(task__batches__project=project, task__batches__name=asked["batch"])
    for name, column in (("task", "task__uuid"), ("document", "document__uuid")):
        if asked.get(name):
            wanted = uuid_or_none(asked[name])
            found = found.filter(**{column: wanted}) if wanted else found.none()
    return found


def _of_months(found: QuerySet[CostEntry], asked: Mapping[str, str]) -> QuerySet[CostEntry]:
    column = "origin_period" if asked.get("basis") == Basis.RESTATED else "posted_period"
    for name, edge in (("first", "gte"), ("last", "lte")):
        month = _month(asked.get(name, ""))
        if month:
            found = found.filter(**{f"{column}__{edge}": month})
    return found


def _month(text: str) -> date | None:
    try:
        return date.fromisoformat(f"{text[:7]}-01")
    except ValueError:
        return None

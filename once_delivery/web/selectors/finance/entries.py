"""The entries behind a figure, and one of them down to the supplier's line and the attempt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Q
from django.shortcuts import get_object_or_404

from billing.models import Bearer, Bucket, Cause, CostEntry, EntryKind, EntryProposal, Grade, SubBucket
from billing.reports.drill import entries_behind, selection_of
from billing.reports.scope import scope_of
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
    """The newest first; the address is that of a scope, of a figure in it, or narrower. Raises BadScopeError."""
    found = entries_behind(scope_of(project, asked), selection_of(asked))
    for name in ("kind", "cause", "grade"):
        if asked.get(name) in _CHOICES[name].values:
            found = found.filter(**{name: asked[name]})
    if asked.get("document"):
        document = uuid_or_none(asked["document"])
        found = found.filter(document__uuid=document) if document else found.none()
    listed = found.defer("task__input_version__content", "document__raw", "attempt__action__payload")
    listed = listed.select_related(
        "task__product", "task__input_version", "document", "attempt__action__task__product", "case"
    )
    return Entries(
        page=newest_first(listed, key=asked.get("before", ""), size=PAGE),
        choices=tuple(
            Choice(name, tuple((str(value), str(word)) for value, word in words.choices), asked.get(name, ""))
            for name, words in _CHOICES.items()
        ),
        narrowed={name: text for name, text in asked.items() if text and name not in {*_CHOICES, "before"}},
    )


@dataclass(frozen=True, slots=True)
class OneEntry:
    """An entry with what was made of it later."""

    entry: CostEntry
    later: tuple[CostEntry, ...]
    proposal: EntryProposal | None

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
    proposal = EntryProposal.objects.filter(entry=found).select_related("proposed_by").first()
    return OneEntry(found, tuple(later.exclude(pk=found.pk).order_by("pk")), proposal)

"""Batches in a list, each with the states of its actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.models import User
from once_delivery.ledger.models import Batch
from once_delivery.ui.paging import Page, newest_first
from once_delivery.web.selectors.batch_filter import BatchFilter
from once_delivery.web.selectors.states import Tally
from once_delivery.web.selectors.tallies import sizes_of, tallies_of_batches

PAGE = 20
COUNTED = 1_000  # counting further tells a person nothing more
EXPORTED = 200  # batches read at once for a file


@dataclass(frozen=True, slots=True)
class BatchRow:
    """One line: the batch and where its actions stand."""

    batch: Batch
    tally: Tally
    task_count: int


@dataclass(frozen=True, slots=True)
class BatchPage:
    """One page; ``count`` stops at ``COUNTED``."""

    page: Page[Batch]
    rows: list[BatchRow]
    count: int

    @property
    def more_than_counted(self) -> bool:
        return self.count > COUNTED


def batches_of(user: User) -> QuerySet[Batch]:
    """All batches of the person's projects."""
    return Batch.objects.filter(project__in=projects_of(user)).select_related("project", "requested_by")


def batch_page(user: User, *, chosen: BatchFilter, key: str) -> BatchPage:
    """One page of batches, newest first."""
    found = chosen.within(batches_of(user), user)
    page = newest_first(found, key=key, size=PAGE)
    count = found.values("pk")[: COUNTED + 1].count() if page.next_key or not page.first else len(page.rows)
    return BatchPage(page, rows_of(page.rows), count)


def all_rows(user: User, *, chosen: BatchFilter) -> Iterator[BatchRow]:
    """Every batch that fits, newest first, a page at a time."""
    found, key = chosen.within(batches_of(user), user), ""
    while True:
        page = newest_first(found, key=key, size=EXPORTED)
        yield from rows_of(page.rows)
        if not page.next_key:
            return
        key = page.next_key


def rows_of(batches: Sequence[Batch]) -> list[BatchRow]:
    """The batches with their tallies; two queries however many there are."""
    sizes = sizes_of(batches)
    tallies = tallies_of_batches(batches, sizes)
    return [
        BatchRow(batch, tallies[batch.pk], sizes[batch.pk].tasks if batch.pk in sizes else 0)
        for batch in batches
    ]

"""Batches in a list, each with the states of its actions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.models import User
from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.states import NextStep
from once_delivery.ui.paging import Page, newest_first
from once_delivery.web.selectors.states import TROUBLE, Tally

PAGE = 50


@dataclass(frozen=True, slots=True)
class BatchRow:
    """One line: the batch and where its actions stand."""

    batch: Batch
    tally: Tally
    task_count: int


def batches_of(user: User, *, project_code: str = "") -> QuerySet[Batch]:
    """All batches of the person's projects."""
    found = Batch.objects.filter(project__in=projects_of(user)).select_related("project", "requested_by")
    return found.filter(project__code=project_code) if project_code else found


def batch_page(
    user: User, *, project_code: str, trouble: bool, key: str
) -> tuple[Page[Batch], list[BatchRow]]:
    """One page of batches, newest first."""
    found = batches_of(user, project_code=project_code)
    if trouble:
        found = found.filter(pk__in=in_trouble(user))
    page = newest_first(found, key=key, size=PAGE)
    return page, rows_of(page.rows)


def in_trouble(user: User) -> QuerySet[Action, int]:
    """IDs of batches with an action that is uncertain, refused, or waits for a person."""
    troubled = Q(state__in=TROUBLE) | Q(next_step=NextStep.PERSON)
    return (
        Action.objects.filter(troubled, project__in=projects_of(user), task__references__isnull=False)
        .values_list("task__references__batch_id", flat=True)
        .distinct()
    )


def rows_of(batches: Sequence[Batch]) -> list[BatchRow]:
    """The batches with their tallies; two queries however many there are."""
    ids = [batch.pk for batch in batches]
    tallies = _tallies(ids)
    tasks = dict(
        Batch.objects.filter(pk__in=ids).annotate(count=Count("references")).values_list("pk", "count")
    )
    return [BatchRow(batch, Tally(tallies[batch.pk]), tasks.get(batch.pk, 0)) for batch in batches]


def _tallies(ids: Iterable[int]) -> dict[int, dict[str, int]]:
    tallies: dict[int, dict[str, int]] = defaultdict(dict)
    counted = (
        Action.objects.filter(task__references__batch__in=list(ids))
        .values_list("task__references__batch_id", "state")
        .annotate(count=Count("pk"))
        .order_by()
    )
    for batch_id, state, count in counted:
        tallies[batch_id][state] = count
    return tallies

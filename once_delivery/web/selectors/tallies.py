"""Actions by state, of projects and of batches: what is not confirmed is counted, the rest follows from the sizes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from django.db import connection
from django.db.models import Count

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Action, Batch, BatchSize, ProjectSize
from once_delivery.ledger.states import State
from once_delivery.web.selectors.states import Tally

# by two indexes alone; the ORM would go through the tasks
_NOT_CONFIRMED = """
SELECT r.batch_id, a.state, count(*)
FROM ledger_action a JOIN ledger_batchtask r ON r.task_id = a.task_id
WHERE a.state <> 'confirmed' AND a.project_id = ANY(%s) AND r.batch_id = ANY(%s)
GROUP BY r.batch_id, a.state
"""


def tallies_of_projects(projects: Iterable[Project]) -> dict[int, Tally]:
    """By project ID; two queries, which read no confirmed action."""
    ids = [project.pk for project in projects]
    sizes = dict(ProjectSize.objects.filter(project__in=ids).values_list("project_id", "actions"))
    counted = (
        Action.objects.exclude(state=State.CONFIRMED)
        .filter(project__in=ids)
        .values_list("project_id", "state")
        .annotate(count=Count("*"))  # by the index alone: it has no ID
        .order_by()
    )
    return _with_confirmed(ids, sizes, counted)


def tallies_of_batches(batches: Sequence[Batch], sizes: Mapping[int, BatchSize]) -> dict[int, Tally]:
    """By batch ID, with the sizes that ``sizes_of`` gave; one query."""
    ids = [batch.pk for batch in batches]
    with connection.cursor() as cursor:
        cursor.execute(_NOT_CONFIRMED, [list({batch.project_id for batch in batches}), ids])
        counted = cursor.fetchall()
    return _with_confirmed(ids, {pk: size.actions for pk, size in sizes.items()}, counted)


def sizes_of(batches: Iterable[Batch]) -> dict[int, BatchSize]:
    """How many tasks and actions, by batch ID; none for a batch to which nothing was ever added."""
    return BatchSize.objects.in_bulk([batch.pk for batch in batches])


def _with_confirmed(
    ids: Iterable[int], sizes: Mapping[int, int], counted: Iterable[tuple[int, str, int]]
) -> dict[int, Tally]:
    others: dict[int, dict[str, int]] = defaultdict(dict)
    for pk, state, count in counted:
        others[pk][state] = count
    found = {}
    for pk in ids:
        # what is asked for between the two queries is counted by the second alone
        confirmed = max(0, sizes.get(pk, 0) - sum(others[pk].values()))
        found[pk] = Tally({**others[pk], **({str(State.CONFIRMED): confirmed} if confirmed else {})})
    return found

"""What waits for a decision, and since when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from once_delivery.review.models import VisibleDraft

COUNTED_MOST = 1000  # counting further tells a person nothing more


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many drafts wait for a decision, and since when the oldest does; ``more``: there are more than ``count``."""

    count: int = 0
    oldest: datetime | None = None
    more: bool = False


# by one partial index alone, a few entries of each project
_COUNT = """
SELECT sum(one.many), min(one.oldest) FROM unnest(%s::bigint[]) AS p(id) CROSS JOIN LATERAL (
    SELECT count(*) AS many, min(counted.since) AS oldest FROM (
        SELECT d.since FROM review_visibledraft d WHERE d.project_id = p.id AND d.state IN ('waits', 'changed')
        ORDER BY d.since LIMIT %s
    ) counted
) one
"""
_OLDEST = """
SELECT one.task_id FROM unnest(%s::bigint[]) AS p(id) CROSS JOIN LATERAL (
    SELECT d.task_id, d.since FROM review_visibledraft d WHERE d.project_id = p.id AND d.state IN ('waits', 'changed')
    ORDER BY d.since LIMIT %s
) one
ORDER BY one.since, one.task_id LIMIT %s
"""


def waiting_for_review(project_ids: Sequence[int], *, most: int = COUNTED_MOST) -> Waiting:
    """What waits in these projects: undecided drafts, and accepted ones that were changed since."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [list(project_ids), most + 1])
        ((count, oldest),) = cursor.fetchall()
    return Waiting(count=min(int(count or 0), most), oldest=oldest, more=(count or 0) > most)


def oldest_waiting(project_ids: Sequence[int], *, many: int) -> list[VisibleDraft]:
    """The drafts that have waited longest, with what names them; the oldest first."""
    with connection.cursor() as cursor:
        cursor.execute(_OLDEST, [list(project_ids), many, many])
        ids = [task_id for (task_id,) in cursor.fetchall()]
    found = (
        VisibleDraft.objects.filter(pk__in=ids)
        .select_related("task__product", "task__input_version", "project")
        .defer("task__input_version__content")
    )
    return sorted(found, key=lambda one: (one.since, one.pk))

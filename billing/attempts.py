"""Attempts as what costs are shared by: the sends of a month, by task."""

from __future__ import annotations

from collections import defaultdict
from datetime import date

from django.db.models import Exists, OuterRef, QuerySet

from billing.months import bounds_of
from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Attempt, Receipt
from once_delivery.targets.base import Outcome


def sends_in(project: Project, month: date) -> QuerySet[Attempt]:
    """Attempts that began in the month where the project is, without those of which not a byte left."""
    begin, end = bounds_of(project, month)
    never_left = Receipt.objects.filter(attempt=OuterRef("pk"), outcome=Outcome.NOT_SENT)
    return Attempt.objects.filter(
        ~Exists(never_left), project=project, intended_at__gte=begin, intended_at__lt=end
    )


def sends_by_task(project: Project, month: date) -> dict[int, list[int]]:
    """The IDs of the month's sends by task, both ascending."""
    by_task: dict[int, list[int]] = defaultdict(list)
    rows = sends_in(project, month).order_by("action__task", "pk").values_list("action__task", "pk")
    for task_id, attempt_id in rows.iterator(chunk_size=5000):
        by_task[task_id].append(attempt_id)
    return dict(by_task)

"""What the books say of a task or a case, beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Q, Sum

from billing.models import Bearer, Books, Bucket, CostEntry, EntryKind, UnitEntry
from billing.money import quantum_of
from billing.people import KEEPERS
from once_delivery.accounts.access import role_of
from once_delivery.accounts.models import Role, User
from once_delivery.ledger.models import Task

READERS = KEEPERS | {Role.OPS_OWNER}
_COST = ~Q(kind=EntryKind.FX_DIFF)


@dataclass(frozen=True, slots=True)
class AtRisk:
    """What nobody is known to bear yet."""

    amount: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class TaskCosts:
    """What a task cost to date. ``keeps``: the reader keeps the books, and may see the entries."""

    total: Decimal
    by_bucket: tuple[tuple[str, Decimal], ...]
    by_bearer: tuple[tuple[str, Decimal], ...]
    units: int
    currency: str
    quantum: Decimal
    keeps: bool


def costs_of_task(task: Task, user: User) -> TaskCosts | None:
    """None for who may not see costs, and where no books are kept."""
    role = role_of(user, task.project)
    books = Books.objects.filter(project=task.project_id).first() if role in READERS else None
    if books is None:
        return None
    rows = list(
        CostEntry.objects.filter(_COST, task=task)
        .values_list("bucket", "bearer")
        .annotate(total=Sum("amount"))
    )
    counted = UnitEntry.objects.filter(asset__task=task).aggregate(units=Sum("sign"))["units"]

    def part(place: int, word: str) -> Decimal:
        return sum((row[2] for row in rows if row[place] == word), Decimal(0))

    return TaskCosts(
        total=sum((row[2] for row in rows), Decimal(0)),
        by_bucket=tuple((str(word.label), part(0, word)) for word in Bucket),
        by_bearer=tuple((str(word.label), amount) for word in Bearer if (amount := part(1, word))),
        units=counted or 0,
        currency=books.currency,
        quantum=quantum_of(books.currency),
        keeps=role in KEEPERS,
    )


def at_risk_of(task_ids: Iterable[int]) -> Mapping[int, AtRisk]:
    """Task → what of its cost is undetermined; tasks without any are left out."""
    rows = (
        CostEntry.objects.filter(_COST, task__in=list(task_ids), bearer=Bearer.UNDETERMINED)
        .values_list("task", "project__books__currency")
        .annotate(total=Sum("amount"))
    )
    return {task: AtRisk(total, currency) for task, currency, total in rows if total}

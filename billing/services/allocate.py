"""Share a project's common costs out to its tasks, and then to their attempts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from django.db import transaction
from django.db.models import Q, Sum

from billing.allocation import allocate as share_out
from billing.attempts import sends_by_task
from billing.entry import NewEntry
from billing.locking import lock_books
from billing.models import (
    AllocationLevel,
    AllocationRun,
    Bearer,
    Books,
    Bucket,
    Cause,
    CostEntry,
    EntryKind,
    Grade,
    SubBucket,
)
from billing.months import next_month
from billing.services.post_entries import post_entries
from once_delivery.accounts.models import Project

METHOD = "sends/1"
# what is a normal cost of all is shared; what has a fault or no cause yet, and manual work, stays where it stands
COMMON = Q(cause=Cause.NORMAL, bucket__in=[Bucket.PLATFORM, Bucket.THIRD_PARTY]) & ~Q(kind=EntryKind.FX_DIFF)


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands at one place and has one nature; it is shared as one amount."""

    task_id: int | None
    sub_bucket: str
    bearer: str
    document_id: int | None
    supplier_line_id: int | None
    grade: str
    amount: Decimal


def allocate(*, project: Project, month: date, actor: str, automatic: bool = False) -> int:
    """Afterwards no common cost that belongs to ``month`` stands above an attempt; returns how many entries that took.

    Each step shares the posted amount of the one above, by the month's sends, by largest remainder. What came since the
    last time is shared, so that a second call adds nothing. With no send in the month it stays unallocated.
    ``automatic`` is a pull. Raises what ``post_entries`` raises.
    """
    with transaction.atomic():
        lock_books([project.pk])
        sends = sends_by_task(project, month)
        if not sends:
            return 0
        work = _Work(project, month, Books.objects.get(project=project).quantum, actor, automatic)
        to_tasks = {task_id: len(attempts) for task_id, attempts in sends.items()}
        count = work.share(
            AllocationLevel.TASKS, work.at_project(), lambda _: to_tasks, lambda key: {"task_id": key}
        )
        task_of = {attempt: task_id for task_id, attempts in sends.items() for attempt in attempts}
        return count + work.share(
            AllocationLevel.ATTEMPTS,
            work.at_tasks(),
            lambda one: dict.fromkeys(sends.get(one.task_id or 0, ()), 1),
            lambda key: {"task_id": task_of[key], "attempt_id": key},
        )


@dataclass(frozen=True, slots=True)
class _Work:
    project: Project
    month: date
    quantum: Decimal
    actor: str
    automatic: bool

    def at_project(self) -> list[Standing]:
        return self._standing(Q(task__isnull=True, attempt__isnull=True) & COMMON)

    def at_tasks(self) -> list[Standing]:
        shared = Q(kind__in=[EntryKind.ALLOCATION_IN, EntryKind.ALLOCATION_OUT])
        return self._standing(Q(task__isnull=False, attempt__isnull=True) & COMMON & shared)

    def _standing(self, where: Q) -> list[Standing]:
        names = ("task_id", "sub_bucket", "bearer", "document_id", "supplier_line_id", "grade")
        rows = (
            CostEntry.objects.filter(where, project=self.project, origin_period=self.month)
            .values_list(*names)
            .annotate(total=Sum("amount"))
            .exclude(total=0)
            .order_by(*names)
        )
        return [Standing(*row) for row in rows]

    def share(
        self,
        level: AllocationLevel,
        standing: list[Standing],
        weights_of: Callable[[Standing], Mapping[int, int]],
        place_of: Callable[[int], Mapping[str, int]],
    ) -> int:
        """Posts, for each amount that stands, one entry that takes it away and one for each share."""
        sharable = [one for one in standing if weights_of(one)]
        if not sharable:
            return 0
        run = AllocationRun.objects.create(
            project=self.project,
            period=self.month,
            level=level,
            method=METHOD,
            weights=_snapshot(weights_of(one) for one in sharable),
            made_by=self.actor,
        )
        return post_entries(
            entries=self._entries(run, sharable, weights_of, place_of),
            actor=self.actor,
            automatic=self.automatic,
        ).posted

    def _entries(
        self,
        run: AllocationRun,
        standing: list[Standing],
        weights_of: Callable[[Standing], Mapping[int, int]],
        place_of: Callable[[int], Mapping[str, int]],
    ) -> Iterator[NewEntry]:
        for one in standing:
            shares = share_out(total=one.amount, weights=weights_of(one), quantum=self.quantum).shares
            taken = {"task_id": one.task_id} if one.task_id else {}
            yield self._entry(run, one, EntryKind.ALLOCATION_OUT, -one.amount, taken)
            for key, amount in shares.items():
                if amount:
                    yield self._entry(run, one, EntryKind.ALLOCATION_IN, amount, place_of(key))

    def _entry(
        self, run: AllocationRun, one: Standing, kind: EntryKind, amount: Decimal, place: Mapping[str, int]
    ) -> NewEntry:
        return NewEntry(
            project_id=self.project.pk,
            incurred_on=next_month(self.month) - timedelta(days=1),
            kind=kind,
            sub_bucket=SubBucket(one.sub_bucket),
            cause=Cause.NORMAL,
            bearer=Bearer(one.bearer),
            grade=Grade(one.grade),
            amount=amount,
            task_id=place.get("task_id"),
            attempt_id=place.get("attempt_id"),
            document_id=one.document_id,
            supplier_line_id=one.supplier_line_id,
            allocation_run_id=run.pk,
        )


def _snapshot(weights: Iterator[Mapping[int, int]]) -> dict[str, str]:
    """The driver of the run, key → weight."""
    seen: dict[int, int] = defaultdict(int)
    for one in weights:
        seen.update(one)
    return {str(key): str(weight) for key, weight in sorted(seen.items())}

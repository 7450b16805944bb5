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
from once_delivery.ledger.models import Attempt

METHOD = "sends/1"
# what is a normal cost of all is shared; what has a fault or no cause yet, and manual work, stays where it stands
COMMON = Q(cause=Cause.NORMAL, bucket__in=[Bucket.PLATFORM, Bucket.THIRD_PARTY]) & ~Q(kind=EntryKind.FX_DIFF)


@dataclass(frozen=True, slots=True, order=True)
class Common:
    """What is shared as one amount: of one nature, of one line of a bill."""

    sub_bucket: str
    bearer: str
    grade: str
    document_id: int
    supplier_line_id: int


_NATURE = ("sub_bucket", "bearer", "grade")
Amounts = dict[Common, dict[int, Decimal]]  # by the task or the attempt


def allocate(*, project: Project, month: date, actor: str, automatic: bool = False) -> int:
    """Afterwards every common cost that belongs to ``month`` is shared out by the month's sends; returns how many
    entries that took.

    Each step (project → tasks → attempts) shares the posted amount of the one above by largest remainder. What was
    shared before is brought to what it must be now, so that it matters neither when nor how often this is called: a
    second call posts nothing. With no send in the month all stays unallocated. ``automatic`` is a pull. Raises what
    ``post_entries`` raises.
    """
    with transaction.atomic():
        lock_books([project.pk])
        sends = sends_by_task(project, month)
        if not sends:
            return 0
        work = _Work(project, month, Books.objects.get(project=project).quantum, actor, automatic)
        return work.to_tasks(sends) + work.to_attempts(sends)


@dataclass(frozen=True, slots=True)
class _Work:
    project: Project
    month: date
    quantum: Decimal
    actor: str
    automatic: bool

    def to_tasks(self, sends: Mapping[int, list[int]]) -> int:
        weights = {task_id: len(attempts) for task_id, attempts in sends.items()}
        posted = Q(task__isnull=True, attempt__isnull=True) & COMMON & ~Q(kind=EntryKind.ALLOCATION_OUT)
        common = self._sums(posted, None)
        shared = self._sums(_shared_at(AllocationLevel.TASKS), "task_id")
        changes: Amounts = {}
        for one in sorted(common.keys() | shared.keys()):
            total = common.get(one, {}).get(0, Decimal(0))
            changes[one] = self._changes(total, weights, shared.get(one, {}))
        return self._post(
            AllocationLevel.TASKS, weights, changes, lambda _: None, lambda key: {"task_id": key}
        )

    def to_attempts(self, sends: Mapping[int, list[int]]) -> int:
        task_of = {attempt: task_id for task_id, attempts in sends.items() for attempt in attempts}
        common = self._sums(_shared_at(AllocationLevel.TASKS), "task_id")
        shared = self._sums(_shared_at(AllocationLevel.ATTEMPTS), "attempt_id")
        lost = {attempt for amounts in shared.values() for attempt in amounts if attempt not in task_of}
        task_of |= dict(Attempt.objects.filter(pk__in=lost).values_list("pk", "action__task"))
        changes: Amounts = {}
        for one in sorted(common.keys() | shared.keys()):
            before = _by_task(shared.get(one, {}), task_of)
            changes[one] = {}
            for task_id, total in common.get(one, {}).items():
                weights = dict.fromkeys(sends.get(task_id, ()), 1)
                changes[one] |= self._changes(total, weights, before.get(task_id, {}))
        return self._post(
            AllocationLevel.ATTEMPTS,
            dict.fromkeys(task_of, 1),
            changes,
            lambda key: task_of[key],
            lambda key: {"task_id": task_of[key], "attempt_id": key},
        )

    def _sums(self, where: Q, key: str | None) -> Amounts:
        names = (*_NATURE, "document_id", "supplier_line_id", *([key] if key else []))
        rows = CostEntry.objects.filter(where, project=self.project, origin_period=self.month)
        sums: Amounts = defaultdict(dict)
        for row in rows.values_list(*names).annotate(total=Sum("amount")).exclude(total=0).order_by(*names):
            common = Common(row[0], row[1], row[2], row[3] or 0, row[4] or 0)
            sums[common][row[5] if key else 0] = row[-1]
        return sums

    def _changes(
        self, total: Decimal, weights: Mapping[int, int], before: Mapping[int, Decimal]
    ) -> dict[int, Decimal]:
        """What each share must change by; with no weight at all nothing is taken from where it is."""
        if not weights:
            return {}
        due = share_out(total=total, weights=weights, quantum=self.quantum).shares
        changes = {key: due.get(key, Decimal(0)) - before.get(key, Decimal(0)) for key in {*due, *before}}
        return {key: change for key, change in sorted(changes.items()) if change}

    def _post(
        self,
        level: AllocationLevel,
        weights: Mapping[int, int],
        changes: Amounts,
        parent_of: Callable[[int], int | None],
        place_of: Callable[[int], Mapping[str, int]],
    ) -> int:
        if not any(changes.values()):
            return 0
        run = AllocationRun.objects.create(
            project=self.project,
            period=self.month,
            level=level,
            method=METHOD,
            weights={str(key): str(weight) for key, weight in sorted(weights.items())},
            made_by=self.actor,
        )
        entries = self._entries(run, changes, parent_of, place_of)
        return post_entries(entries=entries, actor=self.actor, automatic=self.automatic).posted

    def _entries(
        self,
        run: AllocationRun,
        changes: Amounts,
        parent_of: Callable[[int], int | None],
        place_of: Callable[[int], Mapping[str, int]],
    ) -> Iterator[NewEntry]:
        """Of each parent one entry that takes away what its children get."""
        for one, of in changes.items():
            taken: dict[int | None, Decimal] = defaultdict(Decimal)
            for key, change in of.items():
                taken[parent_of(key)] -= change
            for parent, amount in taken.items():
                if amount:
                    place = {"task_id": parent} if parent else {}
                    yield self._entry(run, one, EntryKind.ALLOCATION_OUT, amount, place)
            for key, change in of.items():
                yield self._entry(run, one, EntryKind.ALLOCATION_IN, change, place_of(key))

    def _entry(
        self, run: AllocationRun, one: Common, kind: EntryKind, amount: Decimal, place: Mapping[str, int]
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
            document_id=one.document_id or None,
            supplier_line_id=one.supplier_line_id or None,
            allocation_run_id=run.pk,
        )


def _shared_at(level: AllocationLevel) -> Q:
    return Q(kind=EntryKind.ALLOCATION_IN, allocation_run__level=level)


def _by_task(shared: Mapping[int, Decimal], task_of: Mapping[int, int]) -> dict[int, dict[int, Decimal]]:
    by_task: dict[int, dict[int, Decimal]] = defaultdict(dict)
    for attempt, amount in shared.items():
        by_task[task_of[attempt]][attempt] = amount
    return by_task

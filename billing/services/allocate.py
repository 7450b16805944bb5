"""Share a project's common costs out to its tasks, and then to their attempts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal

from django.db import transaction
from django.db.models import Q, Sum

from billing.allocation import allocate as share_out
from billing.among import Among
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
from billing.services.post_entries import Posted, post_entries
from billing.shares import NOTHING, Amounts, Common, Moved, moved_shares, pieces
from billing.standing import Stand, Standing, transferred
from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Attempt

METHOD = "sends/1"
# what is a normal cost of all is shared; what has a fault or no cause yet, and manual work, stays where it stands
COMMON = Q(cause=Cause.NORMAL, bucket__in=[Bucket.PLATFORM, Bucket.THIRD_PARTY]) & ~Q(kind=EntryKind.FX_DIFF)


_NATURE = ("sub_bucket", "bearer", "grade")


def allocate(*, project: Project, month: date, actor: str, automatic: bool = False) -> int:
    """Afterwards every common cost that belongs to ``month`` is shared out by the month's sends; returns how many
    entries that took.

    Each step (project → tasks → attempts) shares the posted amount of the one above by largest remainder. What was
    shared before is brought to what it must be now, so that it matters neither when nor how often this is called: a
    second call posts nothing. A share that becomes less is taken from who bears it. With no send in the month all stays
    unallocated. ``automatic`` is a pull. Raises what ``post_entries`` raises.
    """
    with transaction.atomic():
        lock_books([project.pk])
        sends = sends_by_task(project, month)
        work = _Work(project, month, Books.objects.get(project=project).quantum, actor, automatic)
        return work.to_tasks(sends) + work.to_attempts(sends)


@dataclass(frozen=True, slots=True)
class _Step:
    """One step down, and where its shares stand."""

    level: AllocationLevel
    column: str
    task_of: Mapping[int, int] = field(default_factory=dict)  # of an attempt

    @property
    def shares(self) -> Q:
        return Q(kind=EntryKind.ALLOCATION_IN, allocation_run__level=self.level)

    def parent_of(self, key: int) -> int | None:
        return self.task_of.get(key)

    def place_of(self, key: int) -> Mapping[str, int]:
        return {"task_id": self.task_of.get(key, key), self.column: key}


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
        step = _Step(AllocationLevel.TASKS, "task_id")
        shared = self._sums(step.shares, step.column)
        changes: Amounts = {}
        for one in sorted(common.keys() | shared.keys()):
            total = common.get(one, {}).get(0, NOTHING)
            changes[one] = self._changes(total, weights, shared.get(one, {}))
        return self._post(step, weights, changes, shared)

    def to_attempts(self, sends: Mapping[int, list[int]]) -> int:
        task_of = {attempt: task_id for task_id, attempts in sends.items() for attempt in attempts}
        weights = dict.fromkeys(task_of, 1)
        common = self._sums(_Step(AllocationLevel.TASKS, "task_id").shares, "task_id")
        step = _Step(AllocationLevel.ATTEMPTS, "attempt_id", task_of)
        shared = self._sums(step.shares, step.column)
        lost = {attempt for amounts in shared.values() for attempt in amounts if attempt not in task_of}
        task_of |= dict(Attempt.objects.filter(pk__in=lost).values_list("pk", "action__task"))
        changes: Amounts = {}
        for one in sorted(common.keys() | shared.keys()):
            totals, before = common.get(one, {}), _by_task(shared.get(one, {}), task_of)
            changes[one] = {}
            # a task with no share any more may have attempts with one
            for task_id in sorted(totals.keys() | before.keys()):
                of_task = dict.fromkeys(sends.get(task_id, ()), 1)
                total = totals.get(task_id, NOTHING)
                changes[one] |= self._changes(total, of_task, before.get(task_id, {}))
        return self._post(step, weights, changes, shared)

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
        """What each share must change by; with no weight at all nobody keeps one."""
        due = share_out(total=total, weights=weights, quantum=self.quantum).shares
        changes = {key: due.get(key, NOTHING) - before.get(key, NOTHING) for key in {*due, *before}}
        return {key: change for key, change in sorted(changes.items()) if change}

    def _post(self, step: _Step, weights: Mapping[int, int], changes: Amounts, shared: Amounts) -> int:
        if not any(changes.values()):
            return 0
        run = AllocationRun.objects.create(
            project=self.project,
            period=self.month,
            level=step.level,
            method=METHOD,
            weights={str(key): str(weight) for key, weight in sorted(weights.items())},
            made_by=self.actor,
        )
        moved: dict[int, Stand] = {}
        entries = self._entries(run, step, changes, shared, moved)
        posted = post_entries(entries=entries, actor=self.actor, automatic=self.automatic)
        return posted.posted + (self._move(posted, moved) if moved else 0)

    def _entries(
        self, run: AllocationRun, step: _Step, changes: Amounts, shared: Amounts, moved: dict[int, Stand]
    ) -> Iterator[NewEntry]:
        """Of each parent one entry that takes away what its children get. ``moved``: to be told which of the entries,
        by its place among them, is to be counted as what."""
        stands = self._stands(step, changes, shared)
        count = 0
        for one, of in changes.items():
            taken: dict[int | None, Decimal] = defaultdict(Decimal)
            for key, change in of.items():
                taken[step.parent_of(key)] -= change
            for parent, amount in taken.items():
                if amount:
                    place = {"task_id": parent} if parent else {}
                    yield self._entry(run, one, EntryKind.ALLOCATION_OUT, amount, place)
                    count += 1
            for key, change in of.items():
                before = shared.get(one, {}).get(key, NOTHING)
                for amount, stand in pieces(before, change, stands.get((one, key), {})):
                    if stand is not None:
                        moved[count] = stand
                    yield self._entry(run, one, EntryKind.ALLOCATION_IN, amount, step.place_of(key))
                    count += 1

    def _stands(self, step: _Step, changes: Amounts, shared: Amounts) -> Moved:
        again = {key for one, of in changes.items() for key in of.keys() & shared.get(one, {}).keys()}
        if not again:
            return {}
        rows = CostEntry.objects.filter(step.shares, Among(step.column, again), project=self.project)
        return moved_shares(rows.filter(origin_period=self.month), step.column)

    def _move(self, posted: Posted, moved: Mapping[int, Stand]) -> int:
        """What is taken from a share is counted as the share is by now."""
        first, _ = posted.runs[self.project.pk]
        numbers = {first + place: stand for place, stand in moved.items()}
        rows = CostEntry.objects.filter(Among("seq", numbers), project=self.project).order_by("seq")
        sides = (side for row in rows for side in transferred(Standing(row), numbers[row.seq]))
        return post_entries(entries=sides, actor=self.actor, automatic=self.automatic).posted

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


def _by_task(shared: Mapping[int, Decimal], task_of: Mapping[int, int]) -> dict[int, dict[int, Decimal]]:
    by_task: dict[int, dict[int, Decimal]] = defaultdict(dict)
    for attempt, amount in shared.items():
        by_task[task_of[attempt]][attempt] = amount
    return by_task

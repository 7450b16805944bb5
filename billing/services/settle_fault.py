"""Count each cost as whose fault it is, and let who must bear it bear it, as the facts now say."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Sum

from billing.facts import facts_of
from billing.fault import (
    Send,
    TaskFacts,
    bearer_of,
    bearer_of_estimate,
    bearer_of_labour,
    cause_of,
    cause_of_labour,
)
from billing.locking import lock_books
from billing.models import (
    Bearer,
    Cause,
    CostEntry,
    EntryKind,
    Grade,
    Judgement,
    LineStatus,
    Period,
    PeriodStatus,
    SubBucket,
    Terms,
)
from billing.services.post_entries import post_entries
from billing.standing import Stand, Standing, corrected, reposted, with_transfers
from billing.terms_on import all_terms, terms_on
from once_delivery.accounts.models import Project

TASKS_AT_ONCE = 500
LOOKED_BACK = timedelta(
    days=92
)  # what came to light since a close: a late answer, a newer version, a rejection
_KINDS = (
    EntryKind.CHARGE,
    EntryKind.LABOUR,
    EntryKind.ACCRUAL,
    EntryKind.ALLOCATION_IN,
    EntryKind.SUPPLIER_CREDIT,
)


def settle_fault(
    *,
    project: Project,
    actor: str,
    task_ids: Collection[int] | None = None,
    line_ids: Collection[int] = (),
    automatic: bool = False,
) -> int:
    """Afterwards cause and bearer of each cost are those of ``fault.py``; returns how many entries that took.

    Another cause is a reversal and a new charge that names what it corrects, another bearer alone a transfer; the
    total never changes, and a second call posts nothing. The fixed platform fee stays who the terms name for it.
    A claim that was given up stays with the vendor, and what a person transferred stays while the cause does.
    ``task_ids``: by default those of every month that is not closed, of the three before, and what is undetermined, with
    the lines of every document; else these tasks with their lines, and ``line_ids``. ``automatic`` leaves months on hold
    alone.
    Raises what ``post_entries`` raises.
    """
    settling = _Settling(project, actor, automatic)
    tasks = sorted(settling.open_tasks() if task_ids is None else task_ids)
    count = 0
    for begin in range(0, len(tasks), TASKS_AT_ONCE):
        count += settling.settle(tasks[begin : begin + TASKS_AT_ONCE])
    concerned = Q() if task_ids is None else Q(task__in=tasks) | Q(supplier_line__in=line_ids)
    return count + settling.settle_lines(concerned)


class _Settling:
    """One pass over a project's costs."""

    def __init__(self, project: Project, actor: str, automatic: bool) -> None:  # noqa: FBT001
        self.project, self.actor, self.automatic = project, actor, automatic
        self.terms = all_terms(project.pk)
        self.judged = _judged_lines(project)
        periods = dict(Period.objects.filter(project=project).values_list("month", "status"))
        self.held = [month for month, status in periods.items() if status == PeriodStatus.HOLD]
        unclosed = [month for month, status in periods.items() if status != PeriodStatus.CLOSED]
        self.since: date | None = min(unclosed, default=None)

    def open_tasks(self) -> set[int]:
        """Of the months that are not closed and some before, and whatever nobody is known to bear yet."""
        entries = CostEntry.objects.filter(project=self.project, task__isnull=False)
        waiting = (
            entries.filter(bearer=Bearer.UNDETERMINED).values_list("task_id").annotate(open=Sum("amount"))
        )
        tasks = {task_id for task_id, amount in waiting if amount and task_id}
        if self.since is not None:
            recent = entries.filter(origin_period__gte=self.since - LOOKED_BACK)
            tasks.update(
                task_id for task_id in recent.values_list("task_id", flat=True).distinct() if task_id
            )
        return tasks

    def settle(self, task_ids: Collection[int]) -> int:
        with transaction.atomic():
            lock_books([self.project.pk])
            facts = facts_of(task_ids)
            entries = self._live(Q(task__in=task_ids) & ~Q(sub_bucket=SubBucket.PLATFORM))
            changed = self._corrections(with_transfers(entries.select_related("case")), facts)
            return post_entries(entries=changed, actor=self.actor, automatic=self.automatic).posted

    def settle_lines(self, concerned: Q) -> int:
        """Of lines that no attempt is the reason of: billed twice, or judged by a person."""
        with transaction.atomic():
            lock_books([self.project.pk])
            where = Q(supplier_line__in=self.judged) | Q(supplier_line__match__status=LineStatus.DOUBLE)
            entries = self._live(concerned & where & ~Q(kind=EntryKind.ALLOCATION_IN)).select_related(
                "supplier_line__match"
            )
            changed = self._line_corrections(with_transfers(entries))
            return post_entries(entries=changed, actor=self.actor, automatic=self.automatic).posted

    def _live(self, where: Q) -> QuerySet[CostEntry]:
        taken_back = CostEntry.objects.filter(reverses=OuterRef("pk"))
        rows = CostEntry.objects.filter(where, ~Exists(taken_back), project=self.project, kind__in=_KINDS)
        if self.automatic:
            rows = rows.exclude(origin_period__in=self.held)
        return rows.order_by("seq")

    def _corrections(self, standing: list[Standing], facts: Mapping[int, TaskFacts]) -> Iterator[Any]:
        sends = {send.attempt_id: send for task in facts.values() for send in task.sends}
        for one in standing:
            if one.entry.supplier_line_id in self.judged or one.now.cause is Cause.PROVIDER_DOUBLE_BILL:
                continue  # settle_lines knows better
            wanted = self._wanted(one.entry, facts, sends)
            if wanted is not None and self._differs(one, wanted):
                yield from corrected(one, wanted)

    def _wanted(
        self, entry: CostEntry, facts: Mapping[int, TaskFacts], sends: Mapping[int, Send]
    ) -> Stand | None:
        task = facts[entry.task_id or 0]
        terms = self._terms(entry)
        if entry.kind == EntryKind.LABOUR and entry.case is not None:
            cause = cause_of_labour(entry.case.kind, task)
            return Stand(cause, bearer_of_labour(cause, entry.case.kind, terms))
        send = sends.get(entry.attempt_id or 0)
        if send is None:
            return None
        cause = cause_of(send, task)
        if entry.kind == EntryKind.ACCRUAL:
            return Stand(cause, bearer_of_estimate(cause, Grade(entry.grade), terms))
        return Stand(cause, bearer_of(cause, terms))

    def _line_corrections(self, standing: list[Standing]) -> Iterator[Any]:
        for one in standing:
            cause = self.judged.get(one.entry.supplier_line_id or 0, Cause.PROVIDER_DOUBLE_BILL)
            wanted = Stand(cause, bearer_of(cause, self._terms(one.entry)))
            twice = cause is Cause.PROVIDER_DOUBLE_BILL and one.entry.task_id is not None
            if twice and one.entry.kind == EntryKind.CHARGE:  # no work stands behind it
                yield from reposted(one, wanted, task_id=None, attempt_id=None)
            elif self._differs(one, wanted):
                yield from corrected(one, wanted)

    @staticmethod
    def _differs(one: Standing, wanted: Stand) -> bool:
        """The cause decides. With the right one, a bearer that was changed by a transfer is a person's decision."""
        return one.now.cause is not wanted.cause or (not one.transfers and one.now != wanted)

    def _terms(self, entry: CostEntry) -> Terms | None:
        return terms_on(self.terms, entry.incurred_on)


def _judged_lines(project: Project) -> dict[int, Cause]:
    rows = Judgement.objects.filter(project=project, line__isnull=False).order_by("pk")
    return {line_id: Cause(cause) for line_id, cause in rows.values_list("line_id", "cause") if line_id}

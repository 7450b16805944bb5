"""From a figure down to the entries that it is made of, and from those to the supplier's line and the attempt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce

from billing.models import CostEntry, EntryKind, UnitEntry
from billing.reports.scope import BadScopeError, Basis, ReportScope, Viewpoint
from once_delivery.ledger.models import Batch, BatchTask, Task
from reconciliation.models import Case, CaseKind


@dataclass(frozen=True, slots=True)
class Selection:
    """Which part of a scope's cost; what is empty selects everything. Words are those of ``billing.models.choices``.

    ``causes`` and ``grades`` may be several, divided by "+". ``either``: bucket or causes, not both. ``task`` is a
    task's UUID, "none" what belongs to no task; ``late`` what belongs to an earlier month than it was posted in;
    ``duplicates`` tasks whose asset was found to be a duplicate in these months; ``at_risk`` tasks with an uncertain
    case that is open at their end; ``fx`` differences of exchange.
    """

    bucket: str = ""
    sub_bucket: str = ""
    bearer: str = ""
    causes: str = ""
    grades: str = ""
    task: str = ""
    either: str = ""
    late: str = ""
    duplicates: str = ""
    at_risk: str = ""
    fx: str = ""

    def filters(self) -> dict[str, str]:
        """As text, for addresses; ``selection_of`` reads it."""
        said = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: text for name, text in said.items() if text}


EVERYTHING = Selection()


def selection_of(said: Mapping[str, Any]) -> Selection:
    """What an address asks for; what it says beside that is left alone. Raises BadScopeError."""
    known = {field.name for field in fields(Selection)}
    found = Selection(**{key: str(value).strip() for key, value in said.items() if key in known})
    if found.task not in {"", "none"}:
        try:
            UUID(found.task)
        except ValueError:
            raise BadScopeError(field="task", value=found.task) from None
    return found


def entries_behind(scope: ReportScope, selection: Selection = EVERYTHING) -> QuerySet[CostEntry]:
    """The entries whose amounts sum to the figure, by their number. Each with task, attempt, document and line.

    ``its_task`` is the task that it belongs to, by whichever way it names it.
    """
    found = CostEntry.objects.filter(
        _in_months(scope), _of(selection), project=scope.project, **_until(scope)
    ).annotate(its_task=Coalesce(F("task_id"), F("asset__task_id"), F("attempt__action__task_id")))
    if scope.viewpoint is Viewpoint.CLIENT:
        found = found.filter(bearer="client")
    fx = Q(kind=EntryKind.FX_DIFF)
    found = found.filter(fx if selection.fx else ~fx)
    narrowed = tasks_of(scope)
    if narrowed is not None:
        found = found.filter(its_task__in=narrowed)
    if selection.task:
        found = found.filter(**_task(selection.task))
    if selection.duplicates:
        twice = units_behind(scope).filter(reason="duplicate_found").values("asset__task_id")
        found = found.filter(its_task__in=twice)
    if selection.at_risk:
        found = found.filter(its_task__in=_uncertain(scope).values("action__task_id"))
    related = ("task__product", "attempt__action", "supplier_line", "document__supplier", "asset", "case")
    return found.select_related(*related).order_by("seq")


def units_behind(scope: ReportScope) -> QuerySet[UnitEntry]:
    """The entries that D is the sum of, by their number."""
    found = UnitEntry.objects.filter(_in_months(scope), project=scope.project, **_until(scope))
    narrowed = tasks_of(scope)
    if narrowed is not None:
        found = found.filter(asset__task__in=narrowed)
    return found.select_related("asset__task__product", "survivor").order_by("seq")


def tasks_of(scope: ReportScope) -> QuerySet[Task] | None:
    """The tasks that the scope is narrowed to; None: all of them, and what belongs to none."""
    if not (scope.product or scope.locale or scope.purpose or scope.batch):
        return None
    found = Task.objects.filter(project=scope.project)
    if scope.product:
        found = found.filter(product__code=scope.product)
    if scope.locale:
        found = found.filter(locale=scope.locale)
    if scope.purpose:
        found = found.filter(purpose=scope.purpose)
    if scope.batch:
        batch = Batch.objects.filter(project=scope.project, name=scope.batch)
        first = BatchTask.objects.order_by("task", "pk").distinct("task")
        of_batch = BatchTask.objects.filter(pk__in=first.values("pk"), batch__in=batch)
        found = found.filter(pk__in=of_batch.values("task_id"))
    return found


def _uncertain(scope: ReportScope) -> QuerySet[Case]:
    found = Case.objects.filter(project=scope.project, kind=CaseKind.UNCERTAIN)
    if scope.ends is None:
        return found.filter(resolved_at__isnull=True)
    still = Q(resolved_at__isnull=True) | Q(resolved_at__gte=scope.ends)
    return found.filter(still, opened_at__lt=scope.ends)


def _in_months(scope: ReportScope) -> Q:
    column = "posted_period" if scope.basis is Basis.POSTED else "origin_period"
    found = Q()
    if scope.first:
        found &= Q(**{f"{column}__gte": scope.first})
    if scope.last:
        found &= Q(**{f"{column}__lte": scope.last})
    return found


def _until(scope: ReportScope) -> dict[str, Any]:
    return {"created_at__lte": scope.as_of} if scope.as_of else {}


def _task(task: str) -> dict[str, Any]:
    if task == "none":
        return {"its_task__isnull": True}
    return {"its_task__in": Task.objects.filter(uuid=task).values("pk")}


def _of(selection: Selection) -> Q:
    bucket = Q(bucket=selection.bucket) if selection.bucket else Q()
    causes = Q(cause__in=selection.causes.split("+")) if selection.causes else Q()
    found = bucket | causes if selection.either else bucket & causes
    if selection.sub_bucket:
        found &= Q(sub_bucket=selection.sub_bucket)
    if selection.bearer:
        found &= Q(bearer=selection.bearer)
    if selection.grades:
        found &= Q(grade__in=selection.grades.split("+"))
    if selection.late:
        found &= Q(posted_period__gt=F("origin_period"))
    return found

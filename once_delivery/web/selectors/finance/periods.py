"""The months of the books: what was posted in each, and what stands in the way of its close."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404

from billing.gates import Gate, gates_of
from billing.models import Period, PeriodStatus
from billing.months import month_named
from billing.reports.ratio import Ratio
from billing.reports.scope import Dimension, ReportScope
from billing.reports.slices import slices
from once_delivery.accounts.models import Project


@dataclass(frozen=True, slots=True)
class MonthRow:
    """One month with its posted cost per asset; ``ratio`` None: nothing was posted."""

    period: Period
    ratio: Ratio | None


@dataclass(frozen=True, slots=True)
class MonthNow:
    """One month with its gates; a closed one shows those of its certificate."""

    period: Period
    gates: tuple[Gate, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing stands in the way."""
        return all(gate.passed for gate in self.gates)


def months_of(project: Project) -> list[MonthRow]:
    """The latest first. Raises NoBooksError."""
    posted = {part.key: part.ratio for part in slices(ReportScope(project=project), Dimension.MONTH)}
    periods = Period.objects.filter(project=project).select_related("closed_by", "held_by").order_by("-month")
    return [MonthRow(one, posted.get(f"{one.month:%Y-%m}")) for one in periods]


def month_now(project: Project, text: str) -> MonthNow:
    """One month by its name as in 2026-09, or 404."""
    month = month_named(text)
    if month is None:
        raise Http404
    found = Period.objects.filter(project=project, month=month).select_related("closed_by", "held_by").first()
    if found is None:
        raise Http404
    closed = found.status == PeriodStatus.CLOSED
    return MonthNow(found, () if closed else gates_of(project, month))

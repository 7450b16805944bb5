"""Find, or open, the month that something is posted in, and those that go by."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from django.utils.translation import gettext_noop

from billing.models import Period, PeriodStatus
from billing.months import day_at, month_of, next_month
from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now


class PeriodOnHoldError(DomainError):
    """The month is being closed: only finance posts in it now."""

    code = "period-on-hold"
    template = gettext_noop("%(month)s is held for the close; lift the hold, or close it, first.")


@dataclass(slots=True)
class Months:
    """The months of one project, read once; the caller holds the project's lock (``post_entries``)."""

    project_id: int
    automatic: bool
    statuses: dict[date, str] = field(default_factory=dict)
    _answers: dict[date, date] = field(default_factory=dict)

    @classmethod
    def of(cls, project_id: int, *, automatic: bool) -> Months:
        rows = Period.objects.filter(project_id=project_id).values_list("month", "status")
        return cls(project_id, automatic, dict(rows))

    def posting_in(self, origin: date) -> date:
        """The month in which a cost of ``origin`` is posted. Raises PeriodOnHoldError."""
        if origin not in self._answers:
            self._answers[origin] = self._find(month_of(origin))
        return self._answers[origin]

    def _find(self, origin: date) -> date:
        status = self._status(origin)
        if status == PeriodStatus.HOLD and self.automatic:
            raise PeriodOnHoldError(month=f"{origin:%Y-%m}")
        month = origin
        while status == PeriodStatus.CLOSED or (month != origin and status == PeriodStatus.HOLD):
            month = next_month(month)
            status = self._status(month)
        return month

    def _status(self, month: date) -> str:
        if month not in self.statuses:
            Period.objects.bulk_create(
                [Period(project_id=self.project_id, month=month)], ignore_conflicts=True
            )
            self.statuses[month] = PeriodStatus.OPEN
        return self.statuses[month]


def period_for(*, project: Project, origin: date, automatic: bool = False) -> date:
    """The first day of the month in which a cost that belongs to ``origin`` is posted.

    That is the month of ``origin`` unless it is closed, else the first open one after it; a month that has no row yet
    is opened. ``automatic`` is a pull: a month on hold takes none. Raises PeriodOnHoldError.
    """
    return Months.of(project.pk, automatic=automatic).posting_in(month_of(origin))


def open_months(*, project: Project, first: date) -> None:
    """Afterwards there is each month from ``first`` to the one that it is where the project is; ``first`` in any case."""
    last = month_of(day_at(project, database_now()))
    months = [first]
    while months[-1] < last:
        months.append(next_month(months[-1]))
    known = set(Period.objects.filter(project=project).values_list("month", flat=True))
    missing = [Period(project=project, month=month) for month in months if month not in known]
    Period.objects.bulk_create(missing, ignore_conflicts=True)

"""The clock of a case: it runs in working time, and stands only while the client is waited for."""

from __future__ import annotations

from datetime import datetime, timedelta

from once_delivery.accounts.models import Project
from reconciliation.business_hours import BusinessHours
from reconciliation.models import Case
from reconciliation.models.calendar import hours_of


def due_of(project: Project, start: datetime) -> datetime:
    """When a case that is opened at ``start`` must be decided."""
    return hours_of(project).after(start, project.case_hours)


def pause(case: Case, now: datetime) -> None:
    """The clock stands from now on. The caller saves."""
    if case.paused_at is None:
        case.paused_at = now


def go_on(case: Case, now: datetime) -> None:
    """The clock runs again: the case is due later by the working time that it stood. The caller saves."""
    if case.paused_at is None:
        return
    hours = hours_of(case.project)
    stood = hours.between(case.paused_at, now)
    case.due_at = hours.after(case.due_at, stood / timedelta(hours=1))
    case.paused_at = None


def percent_over(case: Case, now: datetime, hours: BusinessHours | None = None) -> int:
    """How much of the case's working time is over: 0 to 100. A case whose clock stands does not grow older.

    ``hours`` are those of the case's project, when the caller has them for many cases.
    """
    at = case.paused_at or now
    if at >= case.due_at:
        return 100
    whole = timedelta(hours=case.project.case_hours)
    left = (hours or hours_of(case.project)).between(at, case.due_at)
    return max(0, min(99, int(100 - 100 * (left / whole)))) if whole else 99

"""Months that are not closed: those on hold, in which no pull posts, and all of them."""

from __future__ import annotations

from datetime import date, datetime

from billing.models import Period, PeriodStatus
from once_delivery.accounts.models import Project


def held_months(project: Project) -> frozenset[date]:
    """The project's months on hold; what belongs to them is pulled when they are open again, or closed."""
    rows = Period.objects.filter(project=project, status=PeriodStatus.HOLD)
    return frozenset(rows.values_list("month", flat=True))


def unclosed_months(project: Project) -> list[date]:
    """The project's months that are not closed, oldest first."""
    return list(unclosed_and_held_at(project))


def unclosed_and_held_at(project: Project) -> dict[date, datetime | None]:
    """The same, each with since when it is on hold; None: it is open."""
    rows = Period.objects.filter(project=project).exclude(status=PeriodStatus.CLOSED)
    return dict(rows.order_by("month").values_list("month", "held_at"))

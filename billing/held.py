"""Months on hold: no pull posts in them."""

from __future__ import annotations

from datetime import date

from billing.models import Period, PeriodStatus
from once_delivery.accounts.models import Project


def held_months(project: Project) -> frozenset[date]:
    """The project's months on hold; what belongs to them is pulled when they are open again, or closed."""
    rows = Period.objects.filter(project=project, status=PeriodStatus.HOLD)
    return frozenset(rows.values_list("month", flat=True))


def unclosed_months(project: Project) -> list[date]:
    """The project's months that are not closed, oldest first."""
    rows = Period.objects.filter(project=project).exclude(status=PeriodStatus.CLOSED)
    return list(rows.order_by("month").values_list("month", flat=True))

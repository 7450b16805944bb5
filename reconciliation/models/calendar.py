"""When a project's people work: the clock of a case runs then."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, time
from zoneinfo import ZoneInfo

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from reconciliation.business_hours import BusinessHours


def _weekdays() -> list[int]:
    return list(range(5))


class Calendar(models.Model):
    """Without one a project's clock runs day and night."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="calendar")
    days = models.JSONField(_("days"), default=_weekdays)  # 0 is Monday
    opens = models.TimeField(_("opens"), default=time(9))
    closes = models.TimeField(_("closes"), default=time(18))
    holidays = models.JSONField(_("holidays"), default=list)  # dates as 2026-10-01

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(closes__gt=F("opens")), name="calendar_closes_after_it_opens")
        ]

    def __str__(self) -> str:
        return f"{self.project}"


def hours_of(project: Project) -> BusinessHours:
    """The working time of ``project``; day and night when it has no calendar."""
    return _hours(project, Calendar.objects.filter(project=project).first())


def hours_of_all(projects: Iterable[Project]) -> dict[int, BusinessHours]:
    """The working time of each project by its ID, in one query."""
    listed = list(projects)
    calendars = {one.project_id: one for one in Calendar.objects.filter(project__in=listed)}
    return {one.pk: _hours(one, calendars.get(one.pk)) for one in listed}


def _hours(project: Project, found: Calendar | None) -> BusinessHours:
    zone = ZoneInfo(project.timezone)
    if found is None:
        return BusinessHours(zone, frozenset(range(7)), time(0), time(0))
    return BusinessHours(
        zone,
        frozenset(found.days),
        found.opens,
        found.closes,
        frozenset(date.fromisoformat(day) for day in found.holidays),
    )

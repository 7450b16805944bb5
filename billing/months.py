"""Months: a period is named by its first day."""

from __future__ import annotations

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from once_delivery.accounts.models import Project

YEARS = range(2000, 2200)  # of anything that books tell of; a typing error of centuries is none of them


def month_of(day: date) -> date:
    """The first day of the month of ``day``."""
    return date(day.year, day.month, 1)


def month_named(text: str) -> date | None:
    """The month that is written as 2026-09; None for what is none, and outside of ``YEARS``."""
    try:
        month = date.fromisoformat(f"{text}-01")
    except ValueError:
        return None
    return month if month.year in YEARS else None


def next_month(month: date) -> date:
    """The first day of the month after."""
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


def day_at(project: Project, moment: datetime) -> date:
    """The day of ``moment`` where the project is: what its months are made of."""
    return moment.astimezone(ZoneInfo(project.timezone)).date()


def begin_of(project: Project, day: date) -> datetime:
    """The first moment of the day where the project is."""
    return datetime.combine(day, time(), ZoneInfo(project.timezone))


def bounds_of(project: Project, month: date) -> tuple[datetime, datetime]:
    """The first moment of the month where the project is, and the first one after it."""
    return begin_of(project, month), begin_of(project, next_month(month))

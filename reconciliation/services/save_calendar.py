"""A project's working hours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, time

from django.utils.translation import gettext_noop

from once_delivery.accounts.access import must_be_admin
from once_delivery.accounts.models import Project, User
from once_delivery.common.digits import whole_number
from once_delivery.common.errors import InvalidInputError, Problem
from reconciliation.models.calendar import Calendar

HOLIDAYS_MOST = 400
WEEK = range(7)  # 0 is Monday
_PARTS = re.compile(r"[\s,;，；、]+")
NO_DAYS = gettext_noop("Choose at least one day: a clock that never runs would never be over.")
NO_TIME = gettext_noop("Write a time as 09:00.")
NOT_LATER = gettext_noop("It must close later than it opens, on the same day.")
NO_DATE = gettext_noop("“%(date)s” is no date. Write dates as 2026-10-01.")
MANY = gettext_noop("At most %(most)s dates.")


def save_calendar(
    *, project: Project, days: Sequence[str], opens: str, closes: str, holidays: str, user: User
) -> Calendar:
    """Afterwards the clocks of this project's cases run in these hours; due times that are set stay.

    ``days``: digits, 0 is Monday. ``holidays``: dates as 2026-10-01 in any order, parted by spaces, lines or commas.
    Raises NotAdminError; InvalidInputError with a problem for each field.
    """
    must_be_admin(user, project)
    problems: list[Problem] = []
    chosen = sorted({number for day in days if (number := whole_number(day, most=WEEK[-1])) is not None})
    if not chosen or len(chosen) != len(set(days)):
        problems.append(Problem(code="no-days", template=NO_DAYS, column="days"))
    begin, end = _time(opens, "opens", problems), _time(closes, "closes", problems)
    if begin is not None and end is not None and end <= begin:
        problems.append(Problem(code="closes-early", template=NOT_LATER, column="closes"))
    free = _dates(holidays, problems)
    if problems or begin is None or end is None:
        raise InvalidInputError(tuple(problems))
    calendar, _ = Calendar.objects.update_or_create(
        project=project, defaults={"days": chosen, "opens": begin, "closes": end, "holidays": free}
    )
    return calendar


def remove_calendar(*, project: Project, user: User) -> None:
    """Afterwards the clocks of this project's cases run day and night. Raises NotAdminError."""
    must_be_admin(user, project)
    Calendar.objects.filter(project=project).delete()


def _time(text: str, column: str, problems: list[Problem]) -> time | None:
    try:
        read = time.fromisoformat(text.strip())
    except ValueError:
        read = None
    if read is None or read.tzinfo is not None:
        problems.append(Problem(code="bad-time", template=NO_TIME, column=column))
        return None
    return read.replace(second=0, microsecond=0)


def _dates(text: str, problems: list[Problem]) -> list[str]:
    """The dates once each, the earliest first."""
    parts = [part for part in _PARTS.split(text) if part]
    if len(parts) > HOLIDAYS_MOST:
        problems.append(
            Problem(code="many-dates", template=MANY, params={"most": HOLIDAYS_MOST}, column="holidays")
        )
        return []
    found = set()
    for part in parts:
        try:
            found.add(date.fromisoformat(part).isoformat())
        except ValueError:
            problems.append(
                Problem(code="bad-date", template=NO_DATE, params={"date": part[:30]}, column="holidays")
            )
    return sorted(found)

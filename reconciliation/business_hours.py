"""Working time: when a clock runs, and when so many hours of it are over. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

_LOOK_AHEAD_DAYS = 366 * 2


@dataclass(frozen=True, slots=True)
class BusinessHours:
    """``days``: 0 is Monday. ``opens`` and ``closes`` are local times of the same day; a day without a gap is 0:00–0:00."""

    zone: ZoneInfo
    days: frozenset[int] = frozenset(range(5))
    opens: time = time(9)
    closes: time = time(18)
    holidays: frozenset[date] = field(default_factory=frozenset)

    def after(self, start: datetime, hours: float) -> datetime:
        """The moment when ``hours`` of working time have passed since ``start``.

        A calendar that is never open counts every hour: a due time must come (R13).
        """
        left = timedelta(hours=hours)
        for begin, end in self._spans(start, start + timedelta(days=_LOOK_AHEAD_DAYS)):
            if end - begin >= left:
                return begin + left
            left -= end - begin
        return start + timedelta(hours=hours)

    def before(self, end: datetime, hours: float) -> datetime:
        """The latest moment since which ``hours`` of working time have passed at ``end``.

        A calendar that is never open counts every hour.
        """
        left = timedelta(hours=hours)
        behind = end - timedelta(days=_LOOK_AHEAD_DAYS)
        # walk back a month at a time: what is asked for is hours or days
        while end > behind:
            begin_of_part = max(behind, end - timedelta(days=31))
            for begin, to in reversed(list(self._spans(begin_of_part, end))):
                if to - begin >= left:
                    return to - left
                left -= to - begin
            end = begin_of_part
        return behind + timedelta(days=_LOOK_AHEAD_DAYS) - timedelta(hours=hours)

    @property
    def hours_a_day(self) -> float:
        """How long one working day is."""
        day = timedelta(
            hours=self.closes.hour - self.opens.hour, minutes=self.closes.minute - self.opens.minute
        )
        return (day if day > timedelta() else day + timedelta(days=1)) / timedelta(hours=1)

    def between(self, start: datetime, end: datetime) -> timedelta:
        """How much working time lies between two moments; none when ``end`` is not later."""
        return sum((to - begin for begin, to in self._spans(start, end)), timedelta())

    def _spans(self, start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
        """The open times between two moments, in UTC so that a change to summer time is counted as it is."""
        day = start.astimezone(self.zone).date()
        last = end.astimezone(self.zone).date()
        utc = ZoneInfo("UTC")
        while day <= last:
            if day.weekday() in self.days and day not in self.holidays:
                opens = datetime.combine(day, self.opens, self.zone).astimezone(utc)
                closing = day if self.closes > self.opens else day + timedelta(days=1)
                closes = datetime.combine(closing, self.closes, self.zone).astimezone(utc)
                begin, to = max(opens, start), min(closes, end)
                if begin < to:
                    yield begin, to
            day += timedelta(days=1)

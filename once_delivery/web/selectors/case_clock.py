"""A case with its clock in working time, as a line of the queue and the head of its page show it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from reconciliation.business_hours import BusinessHours
from reconciliation.case_clock import percent_over
from reconciliation.models import Case, CaseStatus

MOST_OF_IT = 80  # percent: from here on the clock is amber
_LONGEST = timedelta(days=366)


@dataclass(frozen=True)
class CaseRow:
    """A case at ``now``; ``hours`` are those of its project."""

    case: Case
    now: datetime
    hours: BusinessHours

    @property
    def age(self) -> timedelta:
        return (self.case.resolved_at or self.now) - self.case.opened_at

    @property
    def is_open(self) -> bool:
        return self.case.status == CaseStatus.OPEN

    @property
    def over(self) -> bool:
        """Past its due time and not decided."""
        return self.is_open and self.at >= self.case.due_at

    @property
    def at(self) -> datetime:
        """Now, or since when the clock stands."""
        return self.case.paused_at or self.now

    @cached_property
    def percent(self) -> int:
        return percent_over(self.case, self.now, self.hours)

    @cached_property
    def left(self) -> timedelta:
        """Working time to the due time, or past it."""
        early, late = sorted((self.at, self.case.due_at))
        return self.hours.between(max(early, late - _LONGEST), late)

    @cached_property
    def tone(self) -> str:
        """The state whose colour the clock has."""
        if self.case.paused_at is not None:
            return "superseded"
        if self.over:
            return "refused"
        return "uncertain" if self.percent >= MOST_OF_IT else "planned"

    @property
    def put_off(self) -> bool:
        until = self.case.snoozed_until
        return self.is_open and until is not None and until > self.now

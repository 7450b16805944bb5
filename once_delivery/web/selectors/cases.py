"""What needs a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.models import User
from reconciliation.models import Case, CaseStatus

PAGE = 50
SOON = timedelta(hours=1)
VIEWS = ("open", "mine", "resolved")


@dataclass(frozen=True, slots=True)
class CaseRow:
    """A case with its clock."""

    case: Case
    now: datetime

    @property
    def age(self) -> timedelta:
        return (self.case.resolved_at or self.now) - self.case.opened_at

    @property
    def over(self) -> bool:
        """Past its due time and not decided."""
        return self.case.status == CaseStatus.OPEN and self.case.due_at <= self.now

    @property
    def soon(self) -> bool:
        return self.case.status == CaseStatus.OPEN and self.case.due_at - SOON <= self.now

    @property
    def left(self) -> timedelta:
        """To the due time, or past it."""
        return abs(self.case.due_at - self.now)


@dataclass(frozen=True, slots=True)
class CasePage:
    """A page of the queue; ``next_key`` is empty on the last one."""

    rows: Sequence[CaseRow]
    open_count: int
    mine_count: int
    over_count: int
    next_key: str
    first: bool


def cases_of(user: User) -> QuerySet[Case]:
    """All cases of the person's projects, with what a line of the queue shows."""
    return (
        Case.objects.filter(project__in=projects_of(user))
        .select_related(
            "project", "owner", "action__target", "action__task__product", "action__task__input_version"
        )
        .defer("action__payload", "action__target__declaration", "action__task__input_version__content")
    )


def open_cases_of(user: User) -> QuerySet[Case]:
    """Those that nobody has decided yet."""
    return cases_of(user).filter(status=CaseStatus.OPEN)


def case_page(user: User, *, view: str, project_code: str, key: str) -> CasePage:
    """One page, the most urgent first (the newest decided first among the resolved)."""
    now = timezone.now()
    found = cases_of(user)
    still_open = Case.objects.filter(project__in=projects_of(user), status=CaseStatus.OPEN)
    if project_code:
        found = found.filter(project__code=project_code)
        still_open = still_open.filter(project__code=project_code)
    if view == "resolved":
        found = found.filter(status=CaseStatus.RESOLVED).order_by("-due_at", "-pk")
    else:
        found = found.filter(status=CaseStatus.OPEN).order_by("due_at", "pk")
    if view == "mine":
        found = found.filter(owner=user)
    place = _place(key)
    if place is not None:
        found = found.filter(_after(*place, backwards=view == "resolved"))
    rows = list(found[: PAGE + 1])
    last = rows[PAGE - 1] if len(rows) > PAGE else None
    return CasePage(
        rows=[CaseRow(case, now) for case in rows[:PAGE]],
        open_count=still_open.count(),
        mine_count=still_open.filter(owner=user).count(),
        over_count=still_open.filter(due_at__lte=now).count(),
        next_key=f"{last.due_at.isoformat()}|{last.pk}" if last else "",
        first=place is None,
    )


def _place(key: str) -> tuple[datetime, int] | None:
    """The due time and ID after which a page begins; None for a key that is none."""
    time, _bar, number = key.partition("|")
    try:
        due_at = parse_datetime(time)
    except ValueError:
        return None
    if due_at is None or timezone.is_naive(due_at) or not number.isdecimal() or len(number) > 18:  # noqa: PLR2004
        return None
    return due_at, int(number)


def _after(due_at: datetime, pk: int, *, backwards: bool) -> Q:
    if backwards:
        return Q(due_at__lt=due_at) | Q(due_at=due_at, pk__lt=pk)
    return Q(due_at__gt=due_at) | Q(due_at=due_at, pk__gt=pk)

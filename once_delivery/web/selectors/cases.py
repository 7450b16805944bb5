"""What needs a person: one page of the queue with its counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.utils import timezone

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.models import Project, User
from once_delivery.common.digits import whole_number
from once_delivery.common.moments import aware_moment_of
from once_delivery.ledger.states import State
from once_delivery.targets.jobs.declaration import Price, price_of
from once_delivery.web.selectors.candidates import Best, best_of, latest_looks
from once_delivery.web.selectors.case_clock import CaseRow
from once_delivery.web.selectors.finance.beside import AtRisk, at_risk_of
from once_delivery.web.selectors.queue_filter import AGES, QueueFilter
from once_delivery.web.selectors.queue_order import BY_DUE, BY_DUE_BACKWARDS, order_of
from reconciliation.business_hours import BusinessHours
from reconciliation.models import Case, CaseStatus
from reconciliation.models.calendar import hours_of_all

PAGE = 50
# where a bucket of age ends: in hours of work, then in working days
_ENDS: tuple[tuple[float, bool], ...] = ((4, False), (8, False), (2, True), (4, True))


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One line: the case with its clock, what looks like its result, and what a second try would cost."""

    row: CaseRow
    best: Best
    price: Price | None
    at_risk: AtRisk | None = None  # what of the task's cost nobody is known to bear yet

    @property
    def case(self) -> Case:
        return self.row.case


@dataclass(frozen=True, slots=True)
class Bucket:
    """Open cases of one age."""

    key: str
    count: int
    share: int  # percent of all


@dataclass(frozen=True, slots=True)
class CasePage:
    """A page of the queue; ``next_key`` is empty on the last one."""

    rows: Sequence[QueueRow]
    counts: dict[str, int]
    buckets: Sequence[Bucket]
    next_key: str
    first: bool


def cases_of(user: User) -> QuerySet[Case]:
    """All cases of the person's projects, with what a line of the queue shows."""
    return of_projects(projects_of(user))


def of_projects(projects: QuerySet[Project] | list[Project]) -> QuerySet[Case]:
    return (
        Case.objects.filter(project__in=projects)
        .select_related(
            "project", "owner", "action__target", "action__task__product", "action__task__input_version"
        )
        .defer("action__payload", "action__target__declaration", "action__task__input_version__content")
    )


def case_page(user: User, *, chosen: QueueFilter, key: str) -> CasePage:
    """One page, the most urgent first; of the resolved those that were resolved last."""
    now = timezone.now()
    projects = list(projects_of(user))  # their IDs as they are: a subquery would hide the order of the index
    hours = hours_of_all(projects)
    younger = younger_in(hours, now)
    rest = chosen.rest
    counts = _counts(user, chosen, Case.objects.filter(rest, project__in=projects), now, younger)
    found = of_projects(projects).filter(rest, chosen.view_of(user, now))
    if chosen.age:
        found = found.filter(of_age(chosen.age, younger))
    order, place = order_of(chosen.view), _place(key)
    if place is not None:
        found = found.filter(order.behind(*place))
    # first which, then what stands beside them: PostgreSQL must not join all of them to sort them
    ids = list(found.order_by(*order.by).values_list("pk", flat=True)[: PAGE + 1])
    cases = list(with_words(of_projects(projects)).filter(pk__in=ids[:PAGE]).order_by(*order.by))
    last = cases[-1] if len(ids) > PAGE else None
    return CasePage(
        rows=rows_of(cases, hours, now),
        counts=counts,
        buckets=_buckets(counts),
        next_key=f"{order.at(last).isoformat()}|{last.pk}" if last else "",
        first=place is None,
    )


def with_words(found: QuerySet[Case]) -> QuerySet[Case]:
    """With the title that was sent and the declared price, without the rest of either."""
    return found.annotate(
        sent_title=KeyTextTransform("title", "action__payload"),
        declared_price=KeyTransform("price", "action__target__declaration"),
    )


def rows_of(cases: Sequence[Any], hours: dict[int, BusinessHours], now: datetime) -> list[QueueRow]:
    looks = latest_looks(case.action_id for case in cases)
    risks = at_risk_of(case.action.task_id for case in cases)
    return [
        QueueRow(
            row=CaseRow(case, now, hours[case.project_id]),
            best=best_of(
                looks.get(case.action_id),
                title=case.sent_title or "",
                refused=case.action.state == State.REFUSED,
            ),
            price=price_of({"price": case.declared_price}),
            at_risk=risks.get(case.action.task_id),
        )
        for case in cases
    ]


def _counts(
    user: User, chosen: QueueFilter, found: QuerySet[Case], now: datetime, younger: Sequence[Q]
) -> dict[str, int]:
    """How many there are in each view and of each age, in one query; the resolved are not counted."""
    views = {
        view: Count("pk", filter=chosen.of_view(view, user, now))
        for view in ("open", "mine", "waiting", "off")
    }
    here = chosen.view_of(user, now)
    # up to each end of a bucket, and all: what lies between two of them follows
    upto = {f"upto_{number}": Count("pk", filter=here & one) for number, one in enumerate(younger)}
    over = Count("pk", filter=chosen.of_view("open", user, now) & Q(due_at__lte=now, paused_at=None))
    still_open = found.filter(status=CaseStatus.OPEN)
    counts = still_open.aggregate(**views, **upto, over=over, here=Count("pk", filter=here))
    ends = [0, *(counts.pop(name) for name in upto), counts.pop("here")]
    aged = {f"age_{name}": ends[number + 1] - ends[number] for number, name in enumerate(AGES)}
    return counts | aged


def _buckets(counts: dict[str, int]) -> list[Bucket]:
    whole = sum(counts[f"age_{name}"] for name in AGES) or 1
    return [Bucket(name, counts[f"age_{name}"], 100 * counts[f"age_{name}"] // whole) for name in AGES]


def younger_in(hours: dict[int, BusinessHours], now: datetime) -> list[Q]:
    """Which cases have waited less than up to the end of each bucket, in working time of their own project."""
    by_ends: dict[tuple[datetime, ...], list[int]] = {}
    for project_id, one in hours.items():
        by_ends.setdefault(_ends(one, now), []).append(project_id)
    younger = [Q() for _ in _ENDS]
    for ends, project_ids in by_ends.items():
        for number, end in enumerate(ends):
            of_project = Q(project__in=project_ids) if len(by_ends) > 1 else Q()
            younger[number] |= of_project & Q(opened_at__gt=end)
    return younger


def of_age(name: str, younger: Sequence[Q]) -> Q:
    """Which cases are in one bucket: in the next of the ends, and not yet in the one before."""
    number = AGES.index(name)
    inside = younger[number] if number < len(younger) else Q()
    return inside & ~younger[number - 1] if number else inside


def _ends(hours: BusinessHours, now: datetime) -> tuple[datetime, ...]:
    """When a case was opened that reaches the end of each bucket now."""
    return tuple(hours.before(now, long * (hours.hours_a_day if days else 1)) for long, days in _ENDS)


def neighbours(user: User, case: Case) -> tuple[Case | None, Case | None]:
    """The open cases before and after this one in the queue."""
    queue = (
        Case.objects.filter(project__in=list(projects_of(user)), status=CaseStatus.OPEN)
        .exclude(snoozed_until__gt=timezone.now())
        .only("uuid")
    )
    before, after = (
        queue.filter(order.behind(case.due_at, case.pk)).order_by(*order.by).first()
        for order in (BY_DUE_BACKWARDS, BY_DUE)
    )
    return before, after


def _place(key: str) -> tuple[datetime, int] | None:
    """The time and ID after which a page begins; None for a key that is none."""
    time, _bar, number = key.partition("|")
    due_at, after = aware_moment_of(time), whole_number(number)
    return None if due_at is None or after is None else (due_at, after)

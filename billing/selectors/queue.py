"""Lines that wait for an answer, what each may be for, and costs that nobody knows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Sum, Value
from django.db.models.functions import Greatest

from billing.models import WAITS, LineMatch, SupplierLine, Usage
from billing.months import bounds_of
from billing.selectors.suppliers import COST_OF_LINE
from billing.suppliers.accruals import expected_of
from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Attempt

_AROUND = timedelta(days=3)
CANDIDATES = 20


@dataclass(frozen=True, slots=True)
class Candidate:
    """An attempt that a line may be for. ``expected`` is our estimate in our currency, None when it is unknown."""

    attempt: Attempt
    used_at: datetime
    model: str = ""
    units: Decimal | None = None
    unit: str = ""
    expected: Decimal | None = None
    request_id: str = ""
    settled: bool = False


@dataclass(frozen=True, slots=True)
class UnknownCost:
    """Requests without a price: their cost is unknown, never nothing."""

    provider: str
    model: str
    unit: str
    requests: int
    units: Decimal | None


def waiting_lines(project: Project) -> QuerySet[LineMatch]:
    """What nobody has answered, oldest use first."""
    return (
        LineMatch.objects.filter(project=project, status__in=WAITS, answered_at__isnull=True)
        .select_related("line__document__supplier", "attempt__action__task__product", "owner")
        .defer("line__document__raw", "line__raw")
        .order_by("line__used_on", "line")
    )


def waiting_sum(project: Project) -> tuple[int, Decimal]:
    """How many lines wait, and what they cost in our currency, tax that cannot be recovered included."""
    rows = LineMatch.objects.filter(project=project, status__in=WAITS, answered_at__isnull=True)
    said = rows.aggregate(lines=Count("pk"), amount=Sum(COST_OF_LINE))
    return said["lines"], said["amount"] or Decimal(0)


def candidates_of(match: LineMatch) -> list[Candidate]:
    """Attempts that the line may be for: those that the match found, else uses of the supplier around the day.

    The nearest in time first; at most ``CANDIDATES``.
    """
    line, day = match.line, _day(match.line)
    usages = Usage.objects.filter(project=match.project_id, replaced=False)
    if match.candidates or match.attempt_id:
        wanted = [*match.candidates, match.attempt_id]
        usages = usages.filter(attempt__in=[one for one in wanted if one])
    else:
        usages = usages.filter(provider=line.document.supplier.code, settled=False)
        usages = usages.filter(used_at__gte=day - _AROUND, used_at__lt=day + _AROUND)
    distance = Greatest(F("used_at") - Value(day), Value(day) - F("used_at"))
    nearest = usages.select_related("attempt__action__task__product").order_by(distance, "pk")
    rows = list(nearest[:CANDIDATES])
    expected = expected_of(project_id=match.project_id, usages=rows)
    found = [
        Candidate(
            attempt=one.attempt,
            used_at=one.used_at,
            model=one.model,
            units=one.units,
            unit=one.unit,
            expected=expected[one.pk][0] if one.pk in expected else None,
            request_id=one.request_id or one.job_id,
            settled=one.settled,
        )
        for one in rows
    ]
    found += _without_usage(match, {one.attempt.pk for one in found})
    return sorted(found, key=lambda one: abs(one.used_at - day))[:CANDIDATES]


def unknown_costs(project: Project, month: date | None = None) -> list[UnknownCost]:
    """What is used and has no price, by what would price it; of one month, or of all time."""
    rows = Usage.objects.filter(project=project, priced=False, settled=False, replaced=False)
    if month is not None:
        begin, end = bounds_of(project, month)
        rows = rows.filter(used_at__gte=begin, used_at__lt=end)
    grouped = (
        rows.order_by("provider", "model", "unit")
        .values("provider", "model", "unit")
        .annotate(requests=Count("pk"), total=Sum("units"))
    )
    return [
        UnknownCost(one["provider"], one["model"], one["unit"], one["requests"], one["total"])
        for one in grouped
    ]


def unknown_count(project: Project, month: date | None = None) -> int:
    """How many requests have no known cost: beside every total."""
    return sum(one.requests for one in unknown_costs(project, month))


def _day(line: SupplierLine) -> datetime:
    if line.used_at is not None:
        return line.used_at
    project = line.document.project
    assert project is not None  # noqa: S101 - a match is of a project's own document
    return bounds_of(project, line.used_on.replace(day=1))[0] + timedelta(days=line.used_on.day - 1)


def _without_usage(match: LineMatch, known: set[int]) -> list[Candidate]:
    missing = {*match.candidates, match.attempt_id} - known - {None}
    used = Usage.objects.filter(project=match.project_id, replaced=False, attempt=OuterRef("pk"))
    attempts = Attempt.objects.filter(~Exists(used), pk__in=missing).select_related("action__task__product")
    return [Candidate(attempt=one, used_at=one.intended_at) for one in attempts]

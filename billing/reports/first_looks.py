"""How soon somebody looked at a case, in working time, beside the hours that the terms allow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from django.db.models import Min, OuterRef, Subquery
from django.db.models.functions import Least

from billing.reports.drill import tasks_of
from billing.reports.scope import ReportScope
from billing.terms_on import all_terms, terms_on
from once_delivery.ledger.clock import database_now
from reconciliation.models import Case, CaseEvent, CaseEventKind, TimeSpan
from reconciliation.models.calendar import hours_of

DEFAULT_HOURS = Decimal(4)
_NO_LOOKS = (CaseEventKind.OPENED, CaseEventKind.TOLD)


@dataclass(frozen=True, slots=True)
class FirstLooks:
    """Cases opened in the months whose first look was made or is overdue, and those looked at in time."""

    opened: int
    in_time: int


def first_looks(scope: ReportScope) -> FirstLooks:
    """A look is the first act of a person, or the first measured moment; what may still come in time is not counted."""
    hours, versions = hours_of(scope.project), all_terms(scope.project.pk)
    opened = in_time = 0
    for opened_at, looked_at, now in _cases(scope):
        terms = terms_on(versions, opened_at.date())
        allowed = timedelta(hours=float(terms.first_look_hours if terms else DEFAULT_HOURS))
        took = hours.between(opened_at, looked_at or now)
        if looked_at is None and took <= allowed:
            continue
        opened += 1
        in_time += took <= allowed
    return FirstLooks(opened, in_time)


def _cases(scope: ReportScope) -> Iterator[tuple[datetime, datetime | None, datetime]]:
    now = min(database_now(), scope.ends or datetime.max.replace(tzinfo=UTC))
    events = CaseEvent.objects.filter(case=OuterRef("pk"), user__isnull=False).exclude(kind__in=_NO_LOOKS)
    spans = TimeSpan.objects.filter(case=OuterRef("pk"))
    found = Case.objects.filter(project=scope.project, opened_at__lt=now)
    if scope.begins:
        found = found.filter(opened_at__gte=scope.begins)
    narrowed = tasks_of(scope)
    if narrowed is not None:
        found = found.filter(action__task__in=narrowed)
    first_event = events.order_by().values("case").annotate(first=Min("at")).values("first")
    first_span = spans.order_by().values("case").annotate(first=Min("began_at")).values("first")
    rows = found.annotate(looked_at=Least(Subquery(first_event), Subquery(first_span)))
    for opened_at, looked_at in rows.values_list("opened_at", "looked_at").iterator(chunk_size=2000):
        yield opened_at, looked_at if looked_at is None or looked_at < now else None, now

"""The books on the home page of who keeps them: this month's cost per asset, its trend, and what waits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import Count, QuerySet

from billing.models import WAITS, Books, Duplicate, DuplicateStatus, LineMatch
from billing.months import month_named
from billing.people import KEEPERS
from billing.reports.ratio import Ratio
from billing.reports.scope import Dimension, ReportScope
from billing.reports.slices import slices
from once_delivery.accounts.models import Membership, Project, User
from once_delivery.web.selectors.finance.charts import Sparkline, sparkline_of

SHOWN = 3
MONTHS = 12


@dataclass(frozen=True, slots=True)
class BooksNow:
    """One project's books. ``ratio`` is of the last month that something was posted in; None: nothing was."""

    project: Project
    currency: str
    month: date | None
    ratio: Ratio | None
    trend: Sparkline | None
    lines: int
    duplicates: int


def books_at_home(user: User) -> list[BooksNow]:
    """At most some projects; the rest is one click away."""
    kept = (
        Membership.objects.filter(user=user, role__in=KEEPERS, project__books__isnull=False)
        .select_related("project__books")
        .order_by("project__name")[:SHOWN]
    )
    projects = [one.project for one in kept]
    lines = _counts(LineMatch.objects.filter(status__in=WAITS, answered_at__isnull=True), projects)
    pairs = _counts(Duplicate.objects.filter(status=DuplicateStatus.SUGGESTED), projects)
    return [
        _now(project, project.books, lines.get(project.pk, 0), pairs.get(project.pk, 0))
        for project in projects
    ]


def _counts(found: QuerySet[LineMatch] | QuerySet[Duplicate], projects: Iterable[Project]) -> dict[int, int]:
    return dict(found.filter(project__in=projects).values_list("project").annotate(count=Count("pk")))


def _now(project: Project, books: Books, lines: int, duplicates: int) -> BooksNow:
    parts = slices(ReportScope(project=project), Dimension.MONTH)[-MONTHS:]
    last = parts[-1] if parts else None
    values: list[Decimal | None] = [part.ratio.value for part in parts]
    return BooksNow(
        project=project,
        currency=books.currency,
        month=month_named(last.key) if last and last.key else None,
        ratio=last.ratio if last else None,
        trend=sparkline_of(values),
        lines=lines,
        duplicates=duplicates,
    )

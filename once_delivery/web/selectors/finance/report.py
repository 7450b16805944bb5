"""The cost report of a month: the ratio with its two sides, its trend, what it is made of, and whether it adds up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from django.utils import timezone

from billing.models import Bearer, Bucket, Period
from billing.months import month_of
from billing.reports.figure import Figure
from billing.reports.ratio import Ratio
from billing.reports.scope import Basis, Dimension, ReportScope, Viewpoint, scope_of
from billing.reports.slices import Slice, slices
from billing.reports.totals import Totals, totals
from once_delivery.accounts.models import Project
from once_delivery.web.selectors.finance.charts import Part, Trend, bar_of, trend_of
from once_delivery.web.selectors.finance.figures import figures_of

TREND_MONTHS = 12
TO_DATE = "all"
# entries that figures and parts are added up from while one waits for the page; more are added up behind it
AT_ONCE = 20_000


@dataclass(frozen=True, slots=True)
class Line:
    """One way to count: a month posted or restated, or everything to date."""

    basis: str  # posted, restated, to-date
    ratio: Ratio
    here: bool


@dataclass(frozen=True, slots=True)
class Check:
    """Two ways to the same sum."""

    code: str
    one: Decimal
    other: Decimal

    @property
    def agrees(self) -> bool:
        return self.one == self.other


@dataclass(frozen=True, slots=True)
class Report:
    """Everything on the page of one month (``month`` None: to date)."""

    scope: ReportScope
    month: date | None
    months: tuple[date, ...]
    period: Period | None
    totals: Totals
    lines: tuple[Line, ...]
    trend: Trend | None
    by_bucket: tuple[Part, ...]
    by_bearer: tuple[Part, ...]
    dimension: Dimension
    entries: int  # of every month, which some figures look back to

    @property
    def is_long(self) -> bool:
        """Whether its parts and figures take so many entries that the page should not wait for them."""
        return self.entries > AT_ONCE

    @property
    def ratio(self) -> Ratio:
        """What the page answers, from the viewpoint that was asked for."""
        return self.totals.ratio


@dataclass(frozen=True, slots=True)
class Parts:
    """What the answer is made of, from the entries themselves."""

    figures: list[tuple[Figure, str]]  # each with the query of its entries, see figures_of
    slices: tuple[Slice, ...]
    checks: tuple[Check, ...]


def report_of(project: Project, asked: Mapping[str, str]) -> Report:
    """Raises BadScopeError, NoBooksError."""
    periods = {one.month: one for one in Period.objects.filter(project=project)}
    months = tuple(sorted(periods, reverse=True))
    scope = _scope(project, asked, months)
    shown = totals(scope)
    whole = scope.viewpoint is Viewpoint.FULL
    to_date = _to_date(scope)
    return Report(
        scope=scope,
        month=scope.last,
        months=months,
        period=periods.get(scope.last) if scope.last else None,
        totals=shown,
        lines=_lines(scope, shown, to_date),
        trend=_trend(scope, months),
        by_bucket=bar_of([(str(word.label), shown.by_bucket[word]) for word in Bucket]),
        by_bearer=bar_of([(str(word.label), shown.by_bearer[word]) for word in Bearer]) if whole else (),
        dimension=Dimension(asked["by"]) if asked.get("by") in set(Dimension) else Dimension.PRODUCT,
        entries=to_date.entries,
    )


def parts_of(report: Report) -> Parts:
    """Reads every entry of the scope, and for some figures those of the months before."""
    found = slices(report.scope, report.dimension)
    return Parts(figures_of(report.scope), found, _checks(report.totals, found))


def scope_asked(project: Project, asked: Mapping[str, str]) -> ReportScope:
    """What an address asks for; without a month the latest of the books. Raises BadScopeError."""
    months = tuple(
        Period.objects.filter(project=project).order_by("-month").values_list("month", flat=True)[:1]
    )
    return _scope(project, asked, months)


def _scope(project: Project, asked: Mapping[str, str], months: tuple[date, ...]) -> ReportScope:
    said = {
        name: asked.get(name, "") for name in ("basis", "viewpoint", "product", "locale", "purpose", "batch")
    }
    month = asked.get("month", "")
    if month != TO_DATE:
        chosen = month or f"{months[0] if months else month_of(timezone.localdate()):%Y-%m}"
        said |= {"first": chosen, "last": chosen}
    return scope_of(project, said)


def _to_date(scope: ReportScope) -> Totals:
    return totals(replace(scope, first=None, last=None, basis=Basis.POSTED))


def _lines(scope: ReportScope, shown: Totals, to_date: Totals) -> tuple[Line, ...]:
    if scope.last is None:
        return (Line("to-date", to_date.ratio, here=True),)
    other = Basis.RESTATED if scope.basis is Basis.POSTED else Basis.POSTED
    found = {scope.basis: shown.ratio, other: totals(scope.on(other)).ratio}
    return (
        *(Line(basis.value, found[basis], here=basis is scope.basis) for basis in Basis),
        Line("to-date", to_date.ratio, here=False),
    )


def _trend(scope: ReportScope, months: tuple[date, ...]) -> Trend | None:
    shown = tuple(reversed(months[:TREND_MONTHS]))
    if not shown:
        return None
    whole = replace(scope, first=shown[0], last=shown[-1])
    found = {
        basis: {part.key: part.ratio.value for part in slices(whole.on(basis), Dimension.MONTH)}
        for basis in Basis
    }
    keys = [f"{month:%Y-%m}" for month in shown]
    return trend_of(
        shown,
        [found[Basis.POSTED].get(key) for key in keys],
        [found[Basis.RESTATED].get(key) for key in keys],
    )


def _checks(shown: Totals, parts: tuple[Slice, ...]) -> tuple[Check, ...]:
    nothing = Decimal(0)
    return (
        Check("rows", sum((part.n for part in parts), nothing), shown.n),
        Check("buckets", sum(shown.by_bucket.values(), nothing), shown.n),
        Check("bearers", sum(shown.by_bearer.values(), nothing), shown.n),
        Check("causes", sum(shown.by_cause.values(), nothing), shown.n),
        Check("units", Decimal(sum(part.d for part in parts)), Decimal(shown.d)),
    )

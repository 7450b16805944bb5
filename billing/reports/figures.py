"""The figures of ACCOUNTING section 15, each with what it is made of."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any

from django.db import connection
from django.utils.translation import gettext_lazy as _

from billing.models import Books, Bucket, Cause, Grade
from billing.reports.drill import EVERYTHING, Selection
from billing.reports.figure import Figure, Unit
from billing.reports.figures_of_work import figures_of_work
from billing.reports.scope import Basis, ReportScope
from billing.reports.selecting import NOT_FX, TASK_OF, of_entries, of_units, parameters
from billing.reports.streaming import statement
from billing.reports.totals import Totals, books_of, totals
from billing.reports.wip_bridge import Bridge, wip_bridge

_FAULTS = "+".join((Cause.VENDOR_FAULT, Cause.PLATFORM_RETRY, Cause.PROVIDER_DOUBLE_BILL))


@dataclass(frozen=True, slots=True)
class _Parts:
    """Sums that the totals do not give."""

    quality_failure: Decimal
    duplicates_cost: Decimal
    late_cost: Decimal
    late: int
    duplicates: int
    accepted: int
    counted: int
    attempts_of_counted: int
    estimated: Decimal
    actual: Decimal
    compared: int


def figures(scope: ReportScope) -> tuple[Figure, ...]:
    """All of them, in the order of section 15. Raises NoBooksError.

    Costs per asset are shown both posted and restated; everything else is on the scope's basis. Rates are hidden below
    the accounts' minimum n.
    """
    books = books_of(scope)
    found = totals(scope)
    parts = _parts(scope)
    return (
        *_per_asset(scope, found, wip_bridge(scope)),
        *_burdens(scope, found, parts, books),
        *_of_units(scope, parts, books),
        *_of_evidence(scope, found, parts, books),
        *figures_of_work(scope, books),
    )


def _per_asset(scope: ReportScope, found: Totals, bridge: Bridge) -> tuple[Figure, ...]:
    both = {scope.basis: found}
    for basis in Basis:
        if basis not in both:
            both[basis] = totals(scope.on(basis))
    words = {
        Basis.POSTED: _("Cost per accepted asset, posted"),
        Basis.RESTATED: _("Cost per accepted asset, restated"),
    }
    made = partial(Figure, unit=Unit.MONEY, quantum=found.quantum)
    listed = [
        made(
            f"cost_per_asset_{basis}",
            words[basis],
            _("Everything that was incurred, by accepted and non-duplicate assets."),
            scope=scope.on(basis),
            numerator=both[basis].n,
            denominator=Decimal(both[basis].d),
            n=both[basis].d,
            status=both[basis].ratio.status.value,
            selection=EVERYTHING,
        )
        for basis in Basis
    ]
    client = made(
        "client_per_asset",
        _("Client-borne per asset"),
        _("What the client bears, by the same assets."),
        scope=scope.of_client(),
        numerator=found.client.n,
        denominator=Decimal(found.d),
        n=found.d,
        status=found.client.status.value,
        selection=EVERYTHING,
    )
    completed = made(
        "completed_per_asset",
        _("Completed cost per asset"),
        _(
            "Cost of what was finished in these months, whenever it was posted, by the assets counted in them."
        ),
        scope=scope,
        numerator=bridge.completed,
        denominator=Decimal(found.d),
        n=found.d,
        status=found.ratio.status.value,
    )
    return (*listed, client, completed)


def _burdens(scope: ReportScope, found: Totals, parts: _Parts, books: Books) -> tuple[Figure, ...]:
    share = partial(
        Figure, unit=Unit.SHARE, scope=scope, denominator=found.n, n=found.entries, least_n=books.minimum_n
    )
    return (
        share(
            "recovery_burden",
            _("Recovery burden"),
            _("Manual recovery and cleanup, of the whole cost."),
            numerator=found.by_bucket[Bucket.RECOVERY],
            selection=Selection(bucket=Bucket.RECOVERY),
        ),
        share(
            "quality_failure",
            _("Quality-failure share"),
            _("Recovery, vendor's faults, retries and double bills, of the whole cost."),
            numerator=parts.quality_failure,
            selection=Selection(bucket=Bucket.RECOVERY, causes=_FAULTS, either="yes"),
        ),
        share(
            "duplicate_burden",
            _("Duplicate burden"),
            _("Cost of tasks whose asset was found to be a duplicate, of the whole cost."),
            numerator=parts.duplicates_cost,
            selection=Selection(duplicates="yes"),
        ),
        share(
            "client_change",
            _("Client-change share"),
            _("Cost of the client's changes, of the whole cost."),
            numerator=found.by_cause[Cause.CLIENT_CHANGE],
            selection=Selection(causes=Cause.CLIENT_CHANGE),
        ),
    )


def _of_units(scope: ReportScope, parts: _Parts, books: Books) -> tuple[Figure, ...]:
    return (
        Figure(
            "duplicate_rate",
            _("Duplicate rate"),
            _("Assets found to be duplicates, of those that were accepted."),
            Unit.SHARE,
            scope,
            Decimal(parts.duplicates),
            Decimal(parts.accepted),
            n=parts.accepted,
            least_n=books.minimum_n,
        ),
        Figure(
            "attempts_per_asset",
            _("Attempts per accepted asset"),
            _("Attempts of the tasks whose asset counts, by those assets."),
            Unit.TIMES,
            scope,
            Decimal(parts.attempts_of_counted),
            Decimal(parts.counted),
            n=parts.counted,
            least_n=books.minimum_n,
        ),
    )


def _of_evidence(scope: ReportScope, found: Totals, parts: _Parts, books: Books) -> tuple[Figure, ...]:
    return (
        Figure(
            "estimate_accuracy",
            _("Estimate accuracy"),
            _("What attempts were estimated at, of what their invoices said; 100 % is exact."),
            Unit.SHARE,
            scope,
            parts.estimated,
            parts.actual,
            n=parts.compared,
            least_n=books.minimum_n,
        ),
        Figure(
            "well_evidenced",
            _("Cost at grade A or B"),
            _("Cost with an invoice line or a provider's billing event, of the whole cost."),
            Unit.SHARE,
            scope,
            found.by_grade[Grade.INVOICE] + found.by_grade[Grade.BILLING_EVENT],
            found.n,
            n=found.entries,
            least_n=books.minimum_n,
            selection=Selection(grades=f"{Grade.INVOICE}+{Grade.BILLING_EVENT}"),
        ),
        Figure(
            "late_arrivals",
            _("Late arrivals"),
            _("Cost that was posted in a later month than it belongs to."),
            Unit.MONEY,
            scope,
            parts.late_cost,
            n=parts.late,
            quantum=found.quantum,
            selection=Selection(late="yes"),
        ),
        Figure(
            "unknown_costs",
            _("Unknown costs"),
            _("Usages without a price; what they cost is in no amount."),
            Unit.COUNT,
            scope,
            Decimal(found.unknown),
            n=found.unknown,
        ),
    )


def _parts(scope: ReportScope) -> _Parts:
    query = statement("figure_costs").format(
        task_of=TASK_OF, entries=of_entries(scope), units=of_units(scope), cost=NOT_FX
    )
    with connection.cursor() as cursor:
        cursor.execute(query, parameters(scope))
        row: tuple[Any, ...] = cursor.fetchone()
    return _Parts(*row)

"""The figures of ACCOUNTING section 15, each with what it is made of."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import connection

from billing.models import Bucket, Cause, Grade
from billing.reports.drill import EVERYTHING, Selection
from billing.reports.figure import Figure
from billing.reports.figure_table import Maker
from billing.reports.figures_of_work import figures_of_work
from billing.reports.scope import Basis, ReportScope
from billing.reports.selecting import NOT_FX, TASK_OF, of_entries, of_units, parameters
from billing.reports.streaming import statement
from billing.reports.totals import Totals, books_of, totals
from billing.reports.wip_bridge import wip_bridge

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
    """All of them, in the order of ``figure_table``. Raises NoBooksError.

    Costs per asset are shown both posted and restated; everything else is on the scope's basis. Rates are hidden below
    the accounts' minimum n.
    """
    make = Maker(scope, books_of(scope))
    found = totals(scope)
    parts = _parts(scope)
    return (
        *_per_asset(make, found),
        *_burdens(make, found, parts),
        *_of_units_and_evidence(make, found, parts),
        *figures_of_work(make),
    )


def _per_asset(make: Maker, found: Totals) -> tuple[Figure, ...]:
    scope = make.scope
    both = {basis: found if basis is scope.basis else totals(scope.on(basis)) for basis in Basis}
    listed = [
        make(
            f"cost_per_asset_{basis}",
            one.n,
            one.d,
            n=one.d,
            scope=scope.on(basis),
            status=one.ratio.status,
            selection=EVERYTHING,
        )
        for basis, one in both.items()
    ]
    client, status = found.client, found.ratio.status
    completed = wip_bridge(scope).completed
    return (
        *listed,
        make(
            "client_per_asset",
            client.n,
            found.d,
            n=found.d,
            scope=scope.of_client(),
            status=status,
            selection=EVERYTHING,
        ),
        make("completed_per_asset", completed, found.d, n=found.d, status=status),
    )


def _burdens(make: Maker, found: Totals, parts: _Parts) -> tuple[Figure, ...]:
    burdens = {
        "recovery_burden": (found.by_bucket[Bucket.RECOVERY], Selection(bucket=Bucket.RECOVERY)),
        "quality_failure": (
            parts.quality_failure,
            Selection(bucket=Bucket.RECOVERY, causes=_FAULTS, either="yes"),
        ),
        "duplicate_burden": (parts.duplicates_cost, Selection(duplicates="yes")),
        "client_change": (found.by_cause[Cause.CLIENT_CHANGE], Selection(causes=Cause.CLIENT_CHANGE)),
        "well_evidenced": (
            found.by_grade[Grade.INVOICE] + found.by_grade[Grade.BILLING_EVENT],
            Selection(grades=f"{Grade.INVOICE}+{Grade.BILLING_EVENT}"),
        ),
    }
    return tuple(
        make(code, amount, found.n, n=found.entries, selection=selection)
        for code, (amount, selection) in burdens.items()
    )


def _of_units_and_evidence(make: Maker, found: Totals, parts: _Parts) -> tuple[Figure, ...]:
    return (
        make("duplicate_rate", parts.duplicates, parts.accepted, n=parts.accepted),
        make("attempts_per_asset", parts.attempts_of_counted, parts.counted, n=parts.counted),
        make("estimate_accuracy", parts.estimated, parts.actual, n=parts.compared),
        make("late_arrivals", parts.late_cost, n=parts.late, selection=Selection(late="yes")),
        make("unknown_costs", found.unknown, n=found.unknown),
    )


def _parts(scope: ReportScope) -> _Parts:
    query = statement("figure_costs").format(
        task_of=TASK_OF, entries=of_entries(scope), units=of_units(scope), cost=NOT_FX
    )
    with connection.cursor() as cursor:
        cursor.execute(query, parameters(scope))
        row: tuple[Any, ...] = cursor.fetchone()
    return _Parts(*row)

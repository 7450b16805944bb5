"""D1: what each asset cost, and explicit rows for what no asset cost, so that the rows sum to N."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.db import connection
from django.utils import timezone

from billing.models import Books, Period
from billing.reports.columns import Row
from billing.reports.per_asset_columns import COLUMNS
from billing.reports.scope import ReportScope, Viewpoint
from billing.reports.selecting import NOT_FX, TASK_OF, month_column, of_entries, of_units, parameters
from billing.reports.standing import GIVEN_UP
from billing.reports.streaming import statement, stream
from billing.reports.totals import books_of
from billing.terms_on import all_terms, terms_on

# from a scope's point of view each asset weighs the same, or what it cost itself (never below nothing)
_WEIGHTS = {"equally": "1", "direct_cost": "trunc(greatest(y.amount, 0) * 1000000)"}
_SUMMED = (
    "counted_unit",
    "platform_cost",
    "orchestration_cost",
    "tp_generation",
    "tp_storage",
    "tp_other",
    "recovery_cleanup",
    "tax_nonrecoverable",
    "direct_total",
    "absorbed_non_yield",
    "total_cost",
    "borne_client",
    "borne_vendor",
    "claim_provider",
    "undetermined",
    "corrections_net",
    "tax_recoverable_memo",
)
_PLACES = {column.name: place for place, column in enumerate(COLUMNS)}
_ABSORBED = _PLACES["absorbed_non_yield"]


class NotSpreadError(AssertionError):
    """What the assets absorb is not what the others gave away: a fault of the house, never of the data."""


def per_asset(scope: ReportScope) -> Iterator[Row]:
    """Rows by task, what belongs to none last, then UNALLOCATED where no asset counts, then TOTAL.

    Raises NoBooksError. ``total_cost`` sums to N and ``counted_unit`` to D, TOTAL left out.
    """
    books = books_of(scope)
    head = _head(scope)
    sums = dict.fromkeys(_SUMMED, Decimal(0))
    assets = 0
    for found in stream(_query(scope), _parameters(scope, books)):
        row = (*head, *found)
        for name in _SUMMED:
            sums[name] += row[_PLACES[name]]
        assets += row[_PLACES["row_type"]] == "ASSET"
        yield _sealed(row)
    if sums["absorbed_non_yield"]:
        if assets and _spread_by(scope) == "equally":
            raise NotSpreadError
        yield _sealed(_special(head, books, "UNALLOCATED", _unallocated(sums)))
    yield _sealed(_special(head, books, "TOTAL", sums))


def _query(scope: ReportScope) -> str:
    full = replace(scope, viewpoint=Viewpoint.FULL)
    return statement("per_asset").format(
        task_of=TASK_OF,
        entries=of_entries(scope),
        all_entries=of_entries(full),
        units=of_units(scope, from_the_start=True),
        cost=NOT_FX,
        month=month_column(scope),
        given_up=GIVEN_UP,
        weight=_WEIGHTS[_spread_by(scope)],
    )


def _parameters(scope: ReportScope, books: Books) -> dict[str, Any]:
    return parameters(scope) | {"quantum": books.quantum, "currency": books.currency}


def _spread_by(scope: ReportScope) -> str:
    """By the terms that hold at the end of the scope."""
    versions = all_terms(scope.project.pk)
    found = terms_on(versions, scope.last or timezone.localdate())
    return found.non_yield_by if found else "equally"


def _head(scope: ReportScope) -> Row:
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        now = cursor.fetchone()[0]
    months = Period.objects.filter(project=scope.project)
    if scope.first:
        months = months.filter(month__gte=scope.first)
    if scope.last:
        months = months.filter(month__lte=scope.last)
    statuses = sorted(set(months.values_list("status", flat=True)))
    as_of = scope.as_of or now
    name = f"D1-{scope.project.code}-{scope.months}-{scope.basis}-{as_of:%Y%m%dT%H%M%SZ}"
    return name, now, as_of, scope.basis.value, scope.months, "+".join(statuses), scope.project.code


def _unallocated(sums: dict[str, Decimal]) -> dict[str, Decimal]:
    """What nobody absorbs; the total then takes it in."""
    left = -sums["absorbed_non_yield"]
    sums["absorbed_non_yield"] += left
    sums["total_cost"] += left
    return {**dict.fromkeys(_SUMMED, Decimal(0)), "absorbed_non_yield": left, "total_cost": left}


def _special(head: Row, books: Books, row_type: str, amounts: dict[str, Decimal]) -> Row:
    cells: list[Any] = [None] * (len(COLUMNS) - 1)
    cells[: len(head)] = head
    cells[_PLACES["row_type"]] = row_type
    cells[_PLACES["currency"]] = books.currency
    for name, amount in amounts.items():
        cells[_PLACES[name]] = int(amount) if name == "counted_unit" else amount
    return tuple(cells)


def _sealed(row: Row) -> Row:
    """With the hash of what the row says, the time of the report left out."""
    said = "\x1f".join("" if cell is None else str(cell) for cell in row[3:])
    return (*row, f"sha256:{hashlib.sha256(said.encode()).hexdigest()}")

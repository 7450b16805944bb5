"""Totals split by product, locale, purpose, batch or month."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.db import connection

from billing.money import quantum_of
from billing.reports.ratio import Ratio
from billing.reports.scope import Dimension, ReportScope
from billing.reports.selecting import (
    FIRST_BATCH,
    NOT_FX,
    TASK_OF,
    entries_in,
    month_column,
    of_entries,
    of_units,
    parameters,
    units_in,
)
from billing.reports.totals import books_of

_KEYS = {
    Dimension.PRODUCT: "p.code",
    Dimension.LOCALE: "t.locale",
    Dimension.PURPOSE: "t.purpose",
    Dimension.BATCH: "(SELECT b.name FROM ledger_batch b WHERE b.id = " + FIRST_BATCH + ")",  # noqa: S608 -- constants
}
_LABELS = {Dimension.PRODUCT: "max(p.name)"}
_BY_TASK = """
WITH parts AS (
    SELECT {task_of} AS task_id, sum(e.amount) AS n, sum(e.amount) FILTER (WHERE e.bearer = 'client') AS client, 0 AS d
    FROM billing_costentry e WHERE {entries} AND {cost} GROUP BY 1
    UNION ALL
    SELECT a.task_id, 0, 0, sum(u.sign) FROM billing_unitentry u JOIN review_asset a ON a.id = u.asset_id
    WHERE {units} GROUP BY 1
)
SELECT {key}, {label}, sum(parts.n), coalesce(sum(parts.client), 0), sum(parts.d)
FROM parts LEFT JOIN ledger_task t ON t.id = parts.task_id LEFT JOIN ledger_product p ON p.id = t.product_id
GROUP BY 1 ORDER BY 1 NULLS LAST
"""
_BY_MONTH = """
WITH parts AS (
    SELECT e.{month} AS month, sum(e.amount) AS n, sum(e.amount) FILTER (WHERE e.bearer = 'client') AS client, 0 AS d
    FROM {costs} e WHERE {entries} AND {cost} GROUP BY 1
    UNION ALL
    SELECT u.{month}, 0, 0, sum(u.sign) FROM {counts} WHERE {units} GROUP BY 1
)
SELECT to_char(month, 'YYYY-MM'), to_char(month, 'YYYY-MM'), sum(n), coalesce(sum(client), 0), sum(d)
FROM parts GROUP BY month ORDER BY month
"""


@dataclass(frozen=True, slots=True)
class Slice:
    """One part. ``key`` is what ``ReportScope`` narrows by; None: what belongs to no task."""

    key: str | None
    label: str
    n: Decimal
    client_n: Decimal
    d: int
    quantum: Decimal

    @property
    def ratio(self) -> Ratio:
        return Ratio(self.n, self.d, self.quantum)

    @property
    def client(self) -> Ratio:
        """What the client bears, per asset."""
        return Ratio(self.client_n, self.d, self.quantum)


def slices(scope: ReportScope, dimension: Dimension) -> tuple[Slice, ...]:
    """The parts in the order of their keys, what belongs to no task last. They sum to ``totals(scope)``."""
    quantum = quantum_of(books_of(scope).currency)
    with connection.cursor() as cursor:
        cursor.execute(_query(scope, dimension), parameters(scope))
        return tuple(
            Slice(key, label or "", n, client, int(d), quantum) for key, label, n, client, d in cursor
        )


def _query(scope: ReportScope, dimension: Dimension) -> str:
    given = {"entries": of_entries(scope), "units": of_units(scope), "cost": NOT_FX}
    if dimension is Dimension.MONTH:
        costs, counts = entries_in(scope)[0], units_in(scope)[0]
        return _BY_MONTH.format(month=month_column(scope), costs=costs, counts=counts, **given)
    key = _KEYS[dimension]
    return _BY_TASK.format(key=key, label=_LABELS.get(dimension, f"max({key})"), task_of=TASK_OF, **given)

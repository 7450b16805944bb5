"""N and D of a scope, and what N is made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import connection

from billing.models import Bearer, Books, Bucket, Cause, Grade, SubBucket
from billing.money import quantum_of
from billing.reports.ratio import Ratio
from billing.reports.scope import ReportScope
from billing.reports.selecting import (
    NOT_FX,
    entries_in,
    of_entries,
    of_tasks,
    of_units,
    parameters,
    units_in,
)
from billing.services.post_entries import NoBooksError

NOTHING = Decimal(0)
_ENTRIES = """
SELECT GROUPING(e.bucket, e.sub_bucket, e.bearer, e.cause, e.grade),
       coalesce(e.bucket, e.sub_bucket, e.bearer, e.cause, e.grade),
       coalesce(sum(e.amount) FILTER (WHERE {cost}), 0), coalesce(sum(e.amount) FILTER (WHERE NOT ({cost})), 0),
       coalesce(sum(e.tax_memo), 0), coalesce(sum(e.amount) FILTER (WHERE e.correction AND {cost}), 0), {entries},
       statement_timestamp()
FROM {source} e WHERE {where}
GROUP BY GROUPING SETS ((e.bucket), (e.sub_bucket), (e.bearer), (e.cause), (e.grade), ())
"""
_UNITS = """
SELECT coalesce(sum(u.sign), 0), {entries} FROM {source} WHERE {where}
"""
_UNKNOWN = """
SELECT count(*) FROM billing_usage g
WHERE g.project_id = %(project)s AND NOT g.priced AND NOT g.settled AND NOT g.replaced
  AND g.used_at >= %(begins)s AND g.used_at < %(ends)s
"""
# GROUPING() has a bit for each column that a row is not grouped by
_SETS = {0b01111: "bucket", 0b10111: "sub_bucket", 0b11011: "bearer", 0b11101: "cause", 0b11110: "grade"}
_ALL = 0b11111


@dataclass(frozen=True, slots=True)
class Totals:
    """Amounts in ``currency``. From the client's viewpoint every part is what the client bears.

    ``unknown``: usages without a price, whose cost is in none of the amounts. ``fx_diff`` and ``tax_memo`` are outside
    N. ``by_…`` have every word, 0 included.
    """

    n: Decimal
    d: int
    currency: str
    quantum: Decimal
    by_bucket: Mapping[Bucket, Decimal]
    by_sub_bucket: Mapping[SubBucket, Decimal]
    by_bearer: Mapping[Bearer, Decimal]
    by_cause: Mapping[Cause, Decimal]
    by_grade: Mapping[Grade, Decimal]
    fx_diff: Decimal
    tax_memo: Decimal
    corrections: Decimal
    entries: int
    unit_entries: int
    unknown: int
    as_of: datetime

    @property
    def ratio(self) -> Ratio:
        """Cost per accepted, non-duplicate asset."""
        return Ratio(self.n, self.d, self.quantum)

    @property
    def client(self) -> Ratio:
        """What the client bears, per asset."""
        return Ratio(self.by_bearer[Bearer.CLIENT], self.d, self.quantum)


def books_of(scope: ReportScope) -> Books:
    """Raises NoBooksError."""
    found = Books.objects.filter(project=scope.project).first()
    if found is None:
        raise NoBooksError
    return found


def totals(scope: ReportScope) -> Totals:
    """Raises NoBooksError."""
    books = books_of(scope)
    with connection.cursor() as cursor:
        source, entries = entries_in(scope)
        query = _ENTRIES.format(cost=NOT_FX, source=source, entries=entries, where=of_entries(scope))
        cursor.execute(query, parameters(scope))
        rows = cursor.fetchall()
        source, entries = units_in(scope)
        query = _UNITS.format(source=source, entries=entries, where=of_units(scope))
        cursor.execute(query, parameters(scope))
        d, unit_entries = cursor.fetchone()
    parts: dict[str, dict[str, Decimal]] = defaultdict(dict)
    for which, word, amount, *_ in rows:
        if which != _ALL:
            parts[_SETS[which]][word] = amount
    _, _, n, fx_diff, tax_memo, corrections, count, now = next(row for row in rows if row[0] == _ALL)
    return Totals(
        n=n,
        d=int(d),
        currency=books.currency,
        quantum=quantum_of(books.currency),
        by_bucket={word: parts["bucket"].get(word, NOTHING) for word in Bucket},
        by_sub_bucket={word: parts["sub_bucket"].get(word, NOTHING) for word in SubBucket},
        by_bearer={word: parts["bearer"].get(word, NOTHING) for word in Bearer},
        by_cause={word: parts["cause"].get(word, NOTHING) for word in Cause},
        by_grade={word: parts["grade"].get(word, NOTHING) for word in Grade},
        fx_diff=fx_diff,
        tax_memo=tax_memo,
        corrections=corrections,
        entries=int(count),
        unit_entries=int(unit_entries),
        unknown=unknown_costs(scope),
        as_of=scope.as_of or now,
    )


def unknown_costs(scope: ReportScope) -> int:
    """How many usages of these months have no price: unknown is not zero, and is counted beside every total."""
    asked = parameters(scope)
    asked["begins"] = scope.begins or asked["first"]
    with connection.cursor() as cursor:
        cursor.execute(_UNKNOWN + of_tasks(scope, "g.task_id"), asked)
        return int(cursor.fetchone()[0])

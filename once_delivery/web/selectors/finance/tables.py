"""A report as a table on a page: its beginning, with every cell as text in the reader's language."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from itertools import islice

from django.utils import timezone

from billing.months import month_of
from billing.reports.columns import Cell, Column, Kind, Report, Row
from billing.reports.scope import ReportScope, scope_of
from once_delivery.accounts.models import Project
from once_delivery.web.templatetags.money import money, plain

SHOWN = 200  # the whole of it is an export
# what every row says alike stands above the table
_SAME_IN_ALL = frozenset(
    {"report_id", "generated_at", "as_of", "basis", "period", "period_status", "project_code"}
)


@dataclass(frozen=True, slots=True)
class Table:
    """The first rows of a report; ``more`` says that there are others."""

    report: Report
    scope: ReportScope
    columns: tuple[Column, ...]
    rows: tuple[tuple[tuple[Column, str], ...], ...]
    more: bool


def table_of(report: Report, project: Project, asked: Mapping[str, str]) -> Table:
    """Without months in the address: of this month. Raises BadScopeError, NoBooksError and what the report raises."""
    now = f"{month_of(timezone.localdate()):%Y-%m}"
    scope = scope_of(
        project, {"first": now, "last": now} | {name: asked[name] for name in _SAID if name in asked}
    )
    places = [place for place, column in enumerate(report.columns) if column.name not in _SAME_IN_ALL]
    columns = tuple(report.columns[place] for place in places)
    found = _beginning(report.rows(scope))
    rows = tuple(
        tuple((column, _text(row[place], column.kind)) for place, column in zip(places, columns, strict=True))
        for row in found[:SHOWN]
    )
    return Table(report, scope, columns, rows, more=len(found) > SHOWN)


_SAID = ("first", "last", "basis", "viewpoint", "product", "locale", "purpose", "batch")


def _beginning(rows: Iterator[Row]) -> list[Row]:
    """The rows that are shown and one more; the statement behind them is ended."""
    found = list(islice(rows, SHOWN + 1))
    if isinstance(rows, Generator):
        rows.close()
    return found


def _text(cell: Cell, kind: Kind) -> str:
    match cell:
        case None | "":
            return "–"
        case Decimal() if kind is Kind.MONEY:
            return money(cell)
        case Decimal() | int():
            return plain(Decimal(cell))
        case datetime():
            return timezone.localtime(cell).strftime("%Y-%m-%d %H:%M")
        case date():
            return cell.isoformat()
        case _:
            return str(cell)

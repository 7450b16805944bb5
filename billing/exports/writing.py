"""From a report to a file: one snapshot of the ledgers, row by row, with the control that it adds up to."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import connection

from billing.exports.control import Control
from billing.exports.files import CsvFile, Format, RowsFile
from billing.exports.xlsx_file import XlsxFile
from billing.models import Profile
from billing.reports.columns import Column, Report
from billing.reports.scope import ReportScope
from billing.reports.selecting import of_entries, parameters
from billing.reports.streaming import one_snapshot
from billing.reports.totals import Totals, books_of, totals

TOLD_EVERY = 5_000  # rows
_SCALE = "SELECT coalesce(max(scale(trim_scale(e.amount))), 0) FROM billing_costentry e WHERE {where}"


@dataclass(frozen=True, slots=True)
class Written:
    """A finished file. ``control`` is as ``Control.told`` says."""

    rows: int
    as_of: datetime
    control: dict[str, Any]
    size: int
    sha256: str


def write_report(
    *,
    report: Report,
    scope: ReportScope,
    format: Format,  # noqa: A002 - the word of the model
    profile: str,
    path: Path,
    exporter: str,
    progress: Callable[[int, int | None], None] = lambda _rows, _of: None,
) -> Written:
    """Write ``report`` to ``path``. Memory does not grow with the rows.

    ``progress`` is told rows so far and, where it is known before, of how many. Raises ControlError when the rows do
    not add up to the ledgers, NoBooksError, and what the report raises.
    """
    client = profile == Profile.CLIENT
    asked = scope.of_client() if client else scope
    columns = report.columns_for(client=client)
    places = [report.columns.index(column) for column in columns]
    with one_snapshot():
        found = totals(asked)
        control = Control(report, columns)
        with _opened(format, path, columns, _decimals(asked)) as file:
            expected = _expected(report, found)
            for row in report.rows(asked):
                control.take(row)
                file.write([row[place] for place in places])
                if control.rows % TOLD_EVERY == 0:
                    progress(control.rows, expected)
            control.must_add_up_to(found)
            told = control.told(found, asked) | {
                "report": report.code,
                "profile": profile,
                "exporter": exporter,
                "project": scope.project.code,
            }
            file.finish(told)
    return Written(control.rows, found.as_of, told, path.stat().st_size, _hash(path))


def _opened(kind: Format, path: Path, columns: tuple[Column, ...], decimals: int) -> RowsFile:
    if kind is Format.XLSX:
        return XlsxFile(path, columns, decimals=decimals)
    return CsvFile(path, columns, decimals=decimals, bom=kind is Format.CSV_EXCEL)


def _decimals(scope: ReportScope) -> int:
    """Those of the currency, or more where amounts have more: nothing is rounded in a file."""
    books = books_of(scope)
    with connection.cursor() as cursor:
        cursor.execute(_SCALE.format(where=of_entries(scope)), parameters(scope))
        used = int(cursor.fetchone()[0])
    quantum = books.quantum.normalize().as_tuple().exponent
    return max(used, -int(quantum), 0)


def _expected(report: Report, found: Totals) -> int | None:
    return {"ledger": found.entries, "units": found.unit_entries}.get(report.code)


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

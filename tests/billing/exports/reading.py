"""Files as somebody else reads them: csv and openpyxl, not what wrote them."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from pathlib import Path
from typing import Any

from openpyxl import load_workbook

Rows = list[dict[str, str]]


def csv_rows(path: Path) -> Rows:
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


def sheets(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    with path.open("rb") as file:
        book = load_workbook(file, read_only=True)
        return {
            sheet.title: [tuple(row) for row in sheet.iter_rows(values_only=True)]
            for sheet in book.worksheets
        }


def xlsx_rows(path: Path) -> list[dict[str, Any]]:
    head, *rows = sheets(path)["Rows"]
    return [dict(zip(head, row, strict=True)) for row in rows]


def summed(rows: list[dict[str, Any]], column: str) -> Decimal:
    """The column added up, rows of type TOTAL left out."""
    return sum(
        (
            Decimal(str(row[column]))
            for row in rows
            if row.get("row_type") != "TOTAL" and row[column] not in {None, ""}
        ),
        Decimal(0),
    )

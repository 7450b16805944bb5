"""XLSX, written row by row: only the row that is being written is in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from django.conf import settings
from django.utils import translation
from xlsxwriter import Workbook
from xlsxwriter.worksheet import Worksheet

from billing.exports.cells import as_text, money, plain
from billing.reports.columns import Cell, Column, Kind
from once_delivery.common.sheets.formulas import guarded

ROWS_A_SHEET = 1_048_576  # Excel's own limit, the headings included
_TEXT_LONGEST = 32_767  # of one cell, Excel's own limit
_EXACT_DIGITS = 15  # a spreadsheet's numbers are doubles: what has more digits stays text
_NARROW, _WIDE = 14, 40  # characters
_OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}


class XlsxFile:
    """Sheets Rows (Rows 2, … where one is full), Control, Definitions. Temporary files lie beside ``path``."""

    def __init__(
        self, path: Path, columns: Sequence[Column], *, decimals: int, rows_a_sheet: int = ROWS_A_SHEET
    ) -> None:
        self._path, self._columns, self._decimals = path, columns, decimals
        self._rows_a_sheet = rows_a_sheet
        self._next = 0
        self._sheets = 0

    def __enter__(self) -> Self:
        self._book = Workbook(str(self._path), _OPTIONS | {"tmpdir": str(self._path.parent)})
        self._book.use_zip64()  # a million rows may be more than 4 GB before they are packed
        places = "." + "0" * self._decimals if self._decimals else ""
        self._money = self._book.add_format({"num_format": f"#,##0{places}"})
        self._bold = self._book.add_format({"bold": True})
        self._new_sheet()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._book.close()

    def write(self, row: Sequence[Cell]) -> None:
        if self._next == self._rows_a_sheet:
            self._new_sheet()
        for place, (cell, column) in enumerate(zip(row, self._columns, strict=True)):
            if cell is not None:
                self._write_cell(place, cell, column.kind)
        self._next += 1

    def finish(self, control: Mapping[str, Any]) -> None:
        self._two_columns("Control", _flat(control))
        sheet = self._book.add_worksheet("Definitions")
        sheet.write_row(0, 0, ["column", "kind", *(str(code) for code, _ in settings.LANGUAGES)], self._bold)
        for row, column in enumerate(self._columns, start=1):
            sheet.write_string(row, 0, column.name)
            sheet.write_string(row, 1, column.kind.value)
            for place, (code, _) in enumerate(settings.LANGUAGES, start=2):
                with translation.override(code):
                    sheet.write_string(row, place, guarded(str(column.meaning)))

    def _new_sheet(self) -> None:
        self._sheets += 1
        name = "Rows" if self._sheets == 1 else f"Rows {self._sheets}"
        self._sheet: Worksheet = self._book.add_worksheet(name)
        for place, column in enumerate(self._columns):
            self._sheet.set_column(place, place, _WIDE if column.kind is Kind.ID else _NARROW)
        self._sheet.freeze_panes(1, 0)
        for place, column in enumerate(self._columns):
            self._sheet.write_string(0, place, column.name, self._bold)
        self._next = 1

    def _write_cell(self, place: int, cell: Cell, kind: Kind) -> None:
        if isinstance(cell, Decimal) and kind is Kind.MONEY:
            amount = money(cell, self._decimals)
            if len(amount.as_tuple().digits) <= _EXACT_DIGITS:
                self._sheet.write_number(self._next, place, amount, self._money)
                return
        elif isinstance(cell, Decimal | int):
            number = plain(Decimal(cell))
            if len(number.as_tuple().digits) <= _EXACT_DIGITS:
                self._sheet.write_number(self._next, place, number)
                return
        self._sheet.write_string(self._next, place, _shortened(as_text(cell, kind, self._decimals)))

    def _two_columns(self, name: str, pairs: Iterator[tuple[str, Any]]) -> None:
        sheet = self._book.add_worksheet(name)
        sheet.set_column(0, 1, _WIDE)
        for row, (key, value) in enumerate(pairs):
            sheet.write_string(row, 0, guarded(key))
            if isinstance(value, Decimal):
                sheet.write_number(row, 1, value, self._money)
            elif isinstance(value, int):
                sheet.write_number(row, 1, value)
            else:
                sheet.write_string(row, 1, guarded("" if value is None else str(value)))


def _shortened(text: str) -> str:
    return text if len(text) <= _TEXT_LONGEST else f"{text[: _TEXT_LONGEST - 1]}…"


def _flat(control: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in control.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value

"""Puts the rows of a table file together: the header is the first row that says something, empty rows are left out."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext_noop

from once_delivery.common.sheets.limits import Limits
from once_delivery.common.sheets.places import Place, column_label
from once_delivery.common.sheets.problems import Problems
from once_delivery.common.sheets.sheet import Cell, Flaw, Row, Sheet, is_blank

TOO_MANY_ROWS = gettext_noop("The file has more than %(most)s rows. Split it.")
TOO_MANY_COLUMNS = gettext_noop("The row has more than %(most)s columns.")
NO_HEADER = gettext_noop("The file has no header row.")
NO_ROWS = gettext_noop("The file has a header but no rows.")
TOO_MANY_CELLS = gettext_noop("The row has a cell that is under no heading.")
EMPTY_ROWS = gettext_noop("%(count)s empty rows were left out.")


class SheetBuilder:
    """Takes rows one by one and stops at the limits, so that the time is bounded whatever the file holds."""

    def __init__(self, *, limits: Limits, problems: Problems) -> None:
        self._limits = limits
        self._problems = problems
        self._header: tuple[str, ...] = ()
        self._header_row = 0
        self._rows: list[Row] = []
        self._last = 0

    def add(self, number: int, cells: Sequence[Cell]) -> None:
        """The next row; raises ImportRefusedError beyond a limit."""
        if len(cells) > self._limits.columns:
            cells = self._cut(number, cells)
        if all(map(is_blank, cells)):
            return
        self._tell_flaws(number, cells)
        if not self._header_row:
            self._header = tuple(_heading(cell) for cell in cells)
            self._header_row = number
            return
        if len(self._rows) >= self._limits.rows:
            self._problems.add("too-many-rows", TOO_MANY_ROWS, most=self._limits.rows)
            raise self._problems.refusal()
        self._check_width(number, cells)
        self._last = number
        self._rows.append(Row(number=number, cells=self._padded(cells)))

    def sheet(self) -> Sheet:
        """The table; raises ImportRefusedError when there is none."""
        if not self._header_row:
            self._problems.add("no-header", NO_HEADER)
        elif not self._rows:
            self._problems.add("no-rows", NO_ROWS)
        self._problems.stop_if_any()
        empty = self._last - self._header_row - len(self._rows)
        if empty:
            self._problems.note("empty-rows", EMPTY_ROWS, count=empty)
        return Sheet(header=self._header, rows=tuple(self._rows), header_row=self._header_row)

    def _tell_flaws(self, number: int, cells: Sequence[Cell]) -> None:
        for index, cell in enumerate(cells):
            if isinstance(cell, Flaw):
                place = Place(row=number, column=column_label(index, self._title(index)))
                self._problems.add(cell.code, cell.template, place=place, **cell.params)

    def _title(self, index: int) -> str:
        return self._header[index] if index < len(self._header) else ""

    def _cut(self, number: int, cells: Sequence[Cell]) -> Sequence[Cell]:
        if all(map(is_blank, cells[self._limits.columns :])):
            return cells[: self._limits.columns]
        self._problems.add(
            "too-many-columns", TOO_MANY_COLUMNS, place=Place(row=number), most=self._limits.columns
        )
        raise self._problems.refusal()

    def _check_width(self, number: int, cells: Sequence[Cell]) -> None:
        for index, cell in enumerate(cells):
            if not self._title(index) and not is_blank(cell) and not isinstance(cell, Flaw):
                place = Place(row=number, column=column_label(index))
                self._problems.add("cell-without-heading", TOO_MANY_CELLS, place=place)

    def _padded(self, cells: Sequence[Cell]) -> tuple[Cell, ...]:
        width = len(self._header)
        return (*cells[:width], *(None for _ in range(width - len(cells))))


def _heading(cell: Cell) -> str:
    return "" if cell is None or isinstance(cell, Flaw) else str(cell).strip()

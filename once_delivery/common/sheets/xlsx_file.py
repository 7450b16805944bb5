"""XLSX: the first sheet's values, read in a stream. Formulas, errors and merged cells are problems, not guesses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from math import isfinite

from django.utils.translation import gettext_noop
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel

from once_delivery.common.sheets.limits import Limits
from once_delivery.common.sheets.places import Place, column_label
from once_delivery.common.sheets.problems import Problems
from once_delivery.common.sheets.sheet import Cell, Flaw, Sheet
from once_delivery.common.sheets.tables import SheetBuilder
from once_delivery.common.sheets.xlsx_package import Parts, package
from once_delivery.common.sheets.xlsx_text import TextCollector, date_styles, shared_strings, unescaped
from once_delivery.common.sheets.xlsx_xml import End, Start, events

_REFERENCE = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_LAST_COLUMN = 16_384

FORMULA = gettext_noop("The cell holds a formula. Replace it by its value (copy, paste special, values).")
ERROR_CELL = gettext_noop("The cell holds the error %(error)s.")
MERGED = gettext_noop("The cells %(range)s are merged. Split them and write the value into each row.")


def read_xlsx(data: bytes, limits: Limits, problems: Problems) -> Sheet:
    """The table on the first sheet; raises ImportRefusedError when there is none or it cannot be read."""
    builder = SheetBuilder(limits=limits, problems=problems)
    with package(data, limits, problems) as parts:
        for number, cells in _SheetReader(parts, limits, problems).rows():
            builder.add(number, cells)
    return builder.sheet()


class _SheetReader:
    """Turns the events of one sheet into rows. One cell is open at a time."""

    def __init__(self, parts: Parts, limits: Limits, problems: Problems) -> None:
        self._parts = parts
        self._widest = limits.columns
        self._problems = problems
        self._strings: list[str] = []
        self._dates: frozenset[int] = frozenset()
        if parts.strings:
            with parts.open(parts.strings) as stream:
                self._strings = shared_strings(stream)
        if parts.styles:
            with parts.open(parts.styles) as stream:
                self._dates = date_styles(stream)
        self._row = 0
        self._cells: list[Cell] = []
        self._index = -1
        self._kind = "n"
        self._style = 0
        self._value: list[str] | None = None
        self._formula = False
        self._inline: TextCollector | None = None

    def rows(self) -> Iterator[tuple[int, list[Cell]]]:
        """(number, cells) of every row that is written in the sheet."""
        with self._parts.open(self._parts.sheet) as stream:
            for event in events(stream):
                if isinstance(event, str):
                    self._take_text(event)
                elif isinstance(event, Start):
                    self._start(event)
                elif event.name == "row":
                    yield self._row, self._cells
                else:
                    self._end(event)

    def _start(self, event: Start) -> None:
        match event.name:
            case "row":
                self._row = int(event.attributes.get("r", self._row + 1))
                self._cells, self._index = [], -1
            case "c":
                self._open_cell(event)
            case "v":
                self._value = []
            case "f":
                self._formula = True
            case "is":
                self._inline = TextCollector()
            case "mergeCell":
                self._add_merged(event.attributes.get("ref", ""))
            case _ if self._inline:
                self._inline.take(event)

    def _take_text(self, text: str) -> None:
        if self._inline:
            self._inline.take(text)
        elif self._value is not None:
            self._value.append(text)

    def _end(self, event: End) -> None:
        if event.name == "c":
            self._close_cell()
        elif self._inline and event.name != "is":
            self._inline.take(event)

    def _open_cell(self, event: Start) -> None:
        self._kind = event.attributes.get("t", "n")
        self._style = int(event.attributes.get("s", "0"))
        self._value, self._formula, self._inline = None, False, None
        self._index += 1
        match = _REFERENCE.fullmatch(event.attributes.get("r", ""))
        if match:
            self._index = _column_index(match[1])

    def _close_cell(self) -> None:
        cell = self._cell()
        self._value, self._inline = None, None
        if cell is None or cell == "":
            return
        # beyond the widest row allowed the builder needs to know only that there is something
        index = min(self._index, self._widest)
        self._cells.extend(None for _ in range(index + 1 - len(self._cells)))
        self._cells[index] = cell

    def _cell(self) -> Cell:
        if self._formula:
            return Flaw("formula-cell", FORMULA)
        if self._inline:
            return self._inline.text()
        if self._value is None:
            return None
        return self._typed("".join(self._value))

    def _typed(self, value: str) -> Cell:
        found: Cell = None
        match self._kind:
            case "s":
                found = self._strings[int(value)]
            case "str":
                found = unescaped(value)
            case "b":
                found = value.strip() in {"1", "true"}
            case "d":
                found = datetime.fromisoformat(value)
            case "e":
                found = Flaw("error-cell", ERROR_CELL, {"error": value[:20]})
            case _ if value.strip():
                found = self._number(value)
        return found

    def _number(self, value: str) -> Cell:
        number = float(value)
        if not isfinite(number):
            raise ValueError(value)
        if self._style not in self._dates:
            return int(number) if number.is_integer() else number
        try:
            epoch = CALENDAR_MAC_1904 if self._parts.since_1904 else CALENDAR_WINDOWS_1900
            shown: datetime | date | time | timedelta = from_excel(number, epoch)
        except (ValueError, OverflowError):  # a spreadsheet shows #### for it
            return Flaw("error-cell", ERROR_CELL, {"error": "####"})
        return shown

    def _add_merged(self, reference: str) -> None:
        match = _REFERENCE.match(reference)
        if match:
            place = Place(row=int(match[2]), column=column_label(_column_index(match[1])))
            self._problems.add("merged-cells", MERGED, place=place, range=reference[:40])


def _column_index(letters: str) -> int:
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - ord("A") + 1
    if index > _LAST_COLUMN:
        raise ValueError(letters)
    return index - 1

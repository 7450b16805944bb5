"""From the cells of a row to a line: every value read as what its column holds, all problems told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from django.utils.translation import gettext_noop

from once_delivery.common.sheets.cells import CellError, text_of, time_of, word_of
from once_delivery.common.sheets.places import Place
from once_delivery.common.sheets.problems import Problems
from once_delivery.common.sheets.sheet import Cell, Flaw, Row, Sheet, is_blank
from once_delivery.intake import cells
from once_delivery.intake.columns import COLUMNS, Column, Holds
from once_delivery.intake.headings import Headings
from once_delivery.intake.images import Images
from once_delivery.targets.base import FileBytes

REQUIRED = gettext_noop("“%(name)s” is missing.")
ALT_ALONE = gettext_noop("There is a description of a picture, but no picture.")


@dataclass(frozen=True, slots=True)
class Line:
    """One row, understood. ``brief`` and the approval are None where the row leaves them empty."""

    row: Row
    product: str
    locale: str
    purpose: str
    input_version: int
    target: str
    title: str
    body: str
    product_name: str | None
    brief: Mapping[str, Any] | None
    approved_by: str | None
    approved_at: datetime | None
    image: FileBytes | None
    image_alt: str | None
    fields: Mapping[str, str]


class LineReader:
    """Reads the rows of one sheet. ``said`` keeps what could be read of every row, broken ones too."""

    def __init__(
        self, sheet: Sheet, headings: Headings, *, zone: tzinfo, images: Images, problems: Problems
    ) -> None:
        self.said: list[tuple[Row, dict[str, Any]]] = []
        self._sheet = sheet
        self._problems = problems
        self._images = images
        self._fields = headings.fields
        self._columns = [(column, headings.columns.get(column.name)) for column in COLUMNS]
        self._read: dict[Holds, Callable[[Cell, Column], Any]] = {
            Holds.CODE: lambda cell, column: cells.code_of(cell, column.name),
            Holds.LOCALE: lambda cell, _: cells.locale_of(cell),
            Holds.NUMBER: lambda cell, _: cells.whole_number_of(cell),
            Holds.TIME: lambda cell, _: time_of(cell, zone),
            Holds.BRIEF: lambda cell, _: cells.brief_of(cell),
            Holds.WORD: lambda cell, column: word_of(cell, column.longest),
            Holds.CONTENT: lambda cell, _: text_of(cell),
        }

    def read(self, row: Row) -> Line | None:
        """The line, or None after the problems of its cells were added."""
        before = self._problems.count
        values: dict[str, Any] = {}
        for column, index in self._columns:
            cell = row.cells[index] if index is not None else None
            values[column.name] = self._value(row, column, index, cell)
        fields = self._field_values(row)
        self._find_image(row, values)
        self.said.append((row, values))
        flawed = any(isinstance(cell, Flaw) for cell in row.cells)
        absent = any(column.required and values[column.name] is None for column, _ in self._columns)
        if flawed or absent or self._problems.count > before:
            return None
        return Line(row=row, fields=fields, **values)

    def _find_image(self, row: Row, values: dict[str, Any]) -> None:
        if values["image"] is not None:
            values["image"] = self._images.find(values["image"], self.place(row, "image"))
        elif values["image_alt"] is not None:
            self._problems.add("alt-without-image", ALT_ALONE, place=self.place(row, "image_alt"))

    def place(self, row: Row, name: str) -> Place:
        """Where the column ``name`` of ``row`` stands."""
        index = next((index for column, index in self._columns if column.name == name), None)
        return self._sheet.place(row, index)

    def _value(self, row: Row, column: Column, index: int | None, cell: Cell) -> Any:
        if isinstance(cell, Flaw):
            return None
        if is_blank(cell):
            # a missing column was told once, at the header
            if column.required and index is not None:
                self._problems.add(
                    "missing-value", REQUIRED, place=self._sheet.place(row, index), name=column.name
                )
            return None
        try:
            return self._read[column.holds](cell, column)
        except CellError as error:
            self._add(error, self._sheet.place(row, index))
            return None

    def _field_values(self, row: Row) -> dict[str, str]:
        found = {}
        for name, index in self._fields.items():
            cell = row.cells[index]
            if isinstance(cell, Flaw) or is_blank(cell):
                continue
            try:
                found[name] = text_of(cell)
            except CellError as error:
                self._add(error, self._sheet.place(row, index))
        return found

    def _add(self, error: CellError, place: Place) -> None:
        self._problems.add(error.code, error.template, place=place, **error.params)

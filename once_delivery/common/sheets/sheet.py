"""A table as every format gives it: a header and rows of cells, with a name for each place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from once_delivery.common.sheets.places import Place, column_label, pointer


@dataclass(frozen=True, slots=True)
class Flaw:
    """A cell whose value cannot be told: a formula, an error. Its problem has been added already."""

    code: str
    template: str
    params: Mapping[str, Any] = field(default_factory=dict)


Cell = (
    Flaw
    | str
    | int
    | float
    | Decimal
    | bool
    | datetime
    | date
    | time
    | timedelta
    | Mapping[str, Any]
    | list[Any]
    | None
)


@dataclass(frozen=True, slots=True)
class Row:
    """One row that is not empty; ``number`` counts as a spreadsheet does."""

    number: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """``pointers``: the rows are objects of a JSON array, and the header is the union of their keys."""

    header: tuple[str, ...]
    rows: tuple[Row, ...]
    header_row: int = 1
    pointers: bool = False

    def place(self, row: Row | int, index: int | None = None) -> Place:
        """Where the cell ``index`` of ``row`` stands, or the whole row."""
        number = row if isinstance(row, int) else row.number
        title = self.header[index] if index is not None and index < len(self.header) else ""
        if self.pointers:
            inside = [] if index is None else [title]
            return Place(row=number, pointer=pointer([number - 1, *inside]))
        return Place(row=number, column=None if index is None else column_label(index, title))

    def header_place(self, index: int) -> Place:
        """Where the heading ``index`` stands."""
        if self.pointers:
            return Place(pointer=pointer([self.header[index]]))
        return Place(row=self.header_row, column=column_label(index, self.header[index]))


def is_blank(cell: Cell) -> bool:
    """Nothing, or nothing but white space."""
    return cell is None or (isinstance(cell, str) and not cell.strip())

"""The target of rows that name none, as whoever sends the file chose it."""

from __future__ import annotations

from dataclasses import replace

from once_delivery.common.sheets.sheet import Cell, Row, Sheet, is_blank
from once_delivery.intake.columns import column_of

NAME = "target"


def with_default_target(sheet: Sheet, target: str) -> Sheet:
    """``sheet`` with ``target`` where a row names none; a row that names one keeps it."""
    if not target:
        return sheet
    index = next(
        (
            at
            for at, heading in enumerate(sheet.header)
            if (found := column_of(heading)) and found.name == NAME
        ),
        len(sheet.header),
    )
    header = sheet.header if index < len(sheet.header) else (*sheet.header, NAME)
    return replace(sheet, header=header, rows=tuple(_filled(row, index, target) for row in sheet.rows))


def _filled(row: Row, index: int, target: str) -> Row:
    cells: list[Cell] = [*row.cells, *([None] * (index + 1 - len(row.cells)))]
    if is_blank(cells[index]):
        cells[index] = target
    return replace(row, cells=tuple(cells))

"""What became of a file as plain text for a terminal: problems as a table, notes, and figures under one another."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from django.utils.translation import gettext as _

from once_delivery.common.errors import Problem
from once_delivery.common.sheets.characters import printable
from once_delivery.common.sheets.problems import ImportRefusedError, Note

_WIDE = {"W", "F"}


def printed_refusal(error: ImportRefusedError) -> str:
    """Every problem with its place, and that nothing was kept."""
    head = (_("row"), _("column"), _("code"), _("what"))
    rows = columns([head, *(_problem(problem) for problem in error.problems)])
    end = _("Nothing was imported. Problems: %(count)s.") % {"count": error.count}
    return "\n".join([*rows, *printed_notes(error.notes), end])


def _problem(problem: Problem) -> tuple[str, str, str, str]:
    row = "" if problem.row is None else str(problem.row)
    place = problem.column or problem.pointer or ""
    return row, str(printable(place)), problem.code, str(printable(" ".join(problem.message.split())))


def printed_notes(notes: Sequence[Note]) -> list[str]:
    """One line each."""
    return [_("Note: %(said)s") % {"said": printable(note.message)} for note in notes]


def columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """The rows with their columns under one another; a Chinese character takes two places."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]


def _width(text: str) -> int:
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in _WIDE else 1
        for char in text
    )

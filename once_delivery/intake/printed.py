"""An import as plain text for a terminal: counts, notes, and problems as a table."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from django.utils.translation import gettext as _

from once_delivery.common.errors import Problem
from once_delivery.common.sheets.characters import printable
from once_delivery.common.sheets.problems import ImportRefusedError, Note
from once_delivery.intake.report import ImportReport

_WIDE = {"W", "F"}


def printed_report(report: ImportReport) -> str:
    """What was done, or what would be."""
    counts = (
        (_("products new"), report.result.products_new),
        (_("input versions new"), report.result.versions_new),
        (_("tasks new"), report.result.tasks_new),
        (_("actions new"), report.result.actions_new),
        (_("suppressed repeats"), report.result.suppressed),
        (_("superseded"), report.result.superseded),
    )
    head = _("Batch “%(name)s”: %(deliveries)s deliveries and %(files)s pictures, read from %(format)s.") % {
        "name": printable(report.batch_name),
        "deliveries": report.deliveries,
        "files": report.files,
        "format": report.format,
    }
    end = _("Dry run: nothing of this was kept.") if report.dry_run else _("Imported.")
    rows = _columns([(name, str(count)) for name, count in counts])
    return "\n".join([head, *(f"  {row}" for row in rows), *_notes(report.notes), end])


def printed_refusal(error: ImportRefusedError) -> str:
    """Every problem with its place, and that nothing was kept."""
    head = (_("row"), _("column"), _("code"), _("what"))
    rows = _columns([head, *(_problem(problem) for problem in error.problems)])
    end = _("Nothing was imported. Problems: %(count)s.") % {"count": error.count}
    return "\n".join([*rows, *_notes(error.notes), end])


def _problem(problem: Problem) -> tuple[str, str, str, str]:
    row = "" if problem.row is None else str(problem.row)
    place = problem.column or problem.pointer or ""
    return row, str(printable(place)), problem.code, str(printable(" ".join(problem.message.split())))


def _notes(notes: Sequence[Note]) -> list[str]:
    return [_("Note: %(said)s") % {"said": printable(note.message)} for note in notes]


def _columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
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

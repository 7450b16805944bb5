"""What a dry run said, kept as data so that it can be read later and in another language."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

from once_delivery.common.errors import Problem
from once_delivery.common.sheets.problems import ImportRefusedError, Note
from once_delivery.intake.report import ImportReport


def data_of_report(report: ImportReport) -> dict[str, Any]:
    """A file without problems: what it would do."""
    result = report.result
    told = [field.name for field in fields(result) if field.name not in {"batch", "made"}]  # rows are no data
    return {
        "ok": True,
        "batch_name": report.batch_name,
        "format": report.format,
        "deliveries": report.deliveries,
        "files": report.files,
        "result": {name: getattr(result, name) for name in told},
        "notes": [asdict(note) for note in report.notes],
    }


def data_of_refusal(error: ImportRefusedError) -> dict[str, Any]:
    """A file with problems: each with its place."""
    return {
        "ok": False,
        "count": error.count,
        "problems": [_plain(problem) for problem in error.problems],
        "notes": [asdict(note) for note in error.notes],
    }


def problems_of(data: dict[str, Any]) -> list[Problem]:
    """The problems again, to be told in the reader's language."""
    return [Problem(**one) for one in data.get("problems", ())]


def notes_of(data: dict[str, Any]) -> list[Note]:
    """What is worth knowing of how the file was read."""
    return [Note(**one) for one in data.get("notes", ())]


def _plain(problem: Problem) -> dict[str, Any]:
    return {
        "code": problem.code,
        "template": str(problem.template),
        "params": {name: _word(value) for name, value in problem.params.items()},
        "row": problem.row,
        "column": problem.column,
        "pointer": problem.pointer,
    }


def _word(value: object) -> object:
    return value if isinstance(value, int | float | str | None) else str(value)

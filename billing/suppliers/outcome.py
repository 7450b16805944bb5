"""What came of trying a file, as it is kept until a page asks for it, in whichever language that is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import date
from decimal import Decimal
from typing import Any

from billing.models import LineStatus
from billing.suppliers.incoming import Imported, SeenLine
from once_delivery.common.errors import DomainError, InvalidInputError, Problem
from once_delivery.common.sheets.problems import Note

_LEFT_OUT = frozenset({"document", "earlier", "sums", "lines", "notes"})
_PLAIN = tuple(field.name for field in fields(Imported) if field.name not in _LEFT_OUT)
_AMOUNTS = ("total", "functional_total", "tax_total")


def data_of(done: Imported) -> dict[str, Any]:
    """What ``imported_of`` reads."""
    return {name: getattr(done, name) for name in _PLAIN} | {
        "sums": {str(status): [count, amount] for status, (count, amount) in done.sums.items()},
        "lines": [asdict(line) for line in done.lines],
        "notes": [asdict(note) for note in done.notes],
    }


def imported_of(data: Mapping[str, Any]) -> Imported:
    """What ``data_of`` wrote."""
    plain = {name: data[name] for name in _PLAIN}
    plain |= {name: Decimal(data[name]) for name in _AMOUNTS}
    plain["rate"] = None if data["rate"] is None else Decimal(data["rate"])
    plain["rate_day"] = None if data["rate_day"] is None else date.fromisoformat(data["rate_day"])
    return Imported(
        **plain,
        sums={status: (count, Decimal(amount)) for status, (count, amount) in data["sums"].items()},
        lines=[_line(one) for one in data["lines"]],
        notes=[Note(**one) for one in data["notes"]],
    )


def _line(said: Mapping[str, Any]) -> SeenLine:
    amounts = {name: Decimal(said[name]) for name in ("native", "amount")}
    return SeenLine(**{**said, **amounts, "status": LineStatus(said["status"])})


def problems_in(error: DomainError) -> tuple[Problem, ...]:
    """Each with its place, where it has one."""
    if isinstance(error, InvalidInputError):
        return error.problems
    return (Problem(error.code, str(error.template), error.params),)


def data_of_problems(problems: tuple[Problem, ...]) -> dict[str, Any]:
    """What ``problems_of`` reads."""
    return {"problems": [asdict(problem) | {"params": _said(problem.params)} for problem in problems]}


def problems_of(data: Mapping[str, Any]) -> tuple[Problem, ...]:
    """What stood in the way; nothing where nothing did."""
    return tuple(Problem(**one) for one in data.get("problems", ()))


def _said(params: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value if isinstance(value, int | float) else str(value) for name, value in params.items()}

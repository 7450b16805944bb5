"""What went wrong beside which field, and what was typed: for forms that a service judges."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from once_delivery.common.errors import DomainError, InvalidInputError, Problem
from once_delivery.common.sheets.problems import ImportRefusedError

WRONG = 422


@dataclass(frozen=True, slots=True)
class Answer:
    """``typed``: what the form held. ``fields``: messages by the name of the field; ``whole``: of none in particular.

    ``in_file``: what is wrong with the rows of the form's file, which lies in its field ``file``.
    """

    typed: dict[str, str] = field(default_factory=dict)
    fields: dict[str, list[str]] = field(default_factory=dict)
    whole: list[str] = field(default_factory=list)
    in_file: list[Problem] = field(default_factory=list)

    @property
    def wrong(self) -> bool:
        return bool(self.fields or self.whole or self.in_file)

    @property
    def status(self) -> int:
        return WRONG if self.wrong else 200


def answer_of(error: DomainError, typed: dict[str, str], *, column: str = "") -> Answer:
    """The answer to a form that was refused; an error of no field of its own stands at ``column``."""
    if isinstance(error, ImportRefusedError):
        return _answer_of_file(error, typed)
    fields: dict[str, list[str]] = defaultdict(list)
    whole: list[str] = []
    if isinstance(error, InvalidInputError):
        for problem in error.problems:
            (fields[problem.column] if problem.column else whole).append(problem.message)
    elif column:
        fields[column].append(error.message)
    else:
        whole.append(error.message)
    return Answer(typed=typed, fields=dict(fields), whole=whole)


def _answer_of_file(error: ImportRefusedError, typed: dict[str, str]) -> Answer:
    """Its columns are no fields of the form."""
    placed = [one for one in error.problems if one.row or one.column or one.pointer]
    of_all = [one.message for one in error.problems if one not in placed]
    return Answer(typed=typed, fields={"file": of_all} if of_all else {}, in_file=placed)

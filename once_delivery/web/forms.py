"""What went wrong beside which field, and what was typed: for forms that a service judges."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from once_delivery.common.errors import DomainError, InvalidInputError

WRONG = 422


@dataclass(frozen=True, slots=True)
class Answer:
    """``typed``: what the form held. ``fields``: messages by the name of the field; ``whole``: of none in particular."""

    typed: dict[str, str] = field(default_factory=dict)
    fields: dict[str, list[str]] = field(default_factory=dict)
    whole: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> bool:
        return bool(self.fields or self.whole)

    @property
    def status(self) -> int:
        return WRONG if self.wrong else 200


def answer_of(error: DomainError, typed: dict[str, str], *, column: str = "") -> Answer:
    """The answer to a form that was refused; an error of no field of its own stands at ``column``."""
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

"""Errors of the domain: a stable code for programs, a sentence in the reader's language for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext

Text = str | Promise


class DomainError(Exception):
    """Something the caller asked for is refused; nothing has been done.

    ``code`` is stable and kebab-case; ``template`` is a msgid (``gettext_noop``) that is translated and filled
    with ``params`` when it is read, so that one error can be shown in the language of whoever reads it.
    """

    code = "refused"
    template: Text = "refused"

    def __init__(self, **params: object) -> None:
        self.params: dict[str, object] = params
        super().__init__(self.code)

    @property
    def message(self) -> str:
        """The sentence in the active language."""
        return gettext(str(self.template)) % self.params

    def as_problem(self, *, row: int | None = None, column: str | None = None) -> Problem:
        """The same as one problem of an input."""
        return Problem(
            code=self.code, template=str(self.template), params=self.params, row=row, column=column
        )

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with one place of an input: a row and column of a file, or a pointer into JSON."""

    code: str
    template: str
    params: Mapping[str, Any] = field(default_factory=dict)
    row: int | None = None
    column: str | None = None
    pointer: str | None = None

    @property
    def message(self) -> str:
        """The sentence in the active language (``template`` is a msgid that gettext knows)."""
        return gettext(self.template) % dict(self.params)


class InvalidInputError(DomainError):
    """The input has one or more problems; every one of them is listed and nothing was kept."""

    code = "invalid-input"

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(count=len(problems))
        self.problems = problems

    @property
    def message(self) -> str:
        return "; ".join(problem.message for problem in self.problems)

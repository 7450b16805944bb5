"""All problems of a file, not just the first: collected, capped, told in the order of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext, gettext_noop

from once_delivery.common.errors import DomainError, InvalidInputError, Problem
from once_delivery.common.sheets.characters import printable
from once_delivery.common.sheets.places import NOWHERE, Place

LISTED = 200


@dataclass(frozen=True, slots=True)
class Note:
    """Something that was decided while reading and that whoever sent the file should know."""

    code: str
    template: str
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """The sentence in the active language."""
        return gettext(self.template) % self.params


class ImportRefusedError(InvalidInputError):
    """The file has problems; nothing of it was kept. ``notes`` say how it was read as far as it was."""

    def __init__(
        self, problems: tuple[Problem, ...], *, notes: tuple[Note, ...] = (), count: int = 0
    ) -> None:
        super().__init__(problems)
        self.notes = notes
        self.count = count or len(problems)


class Problems:
    """Collects what is wrong and what is worth noting; beyond ``most`` problems are only counted."""

    def __init__(self, most: int = LISTED) -> None:
        self._most = most
        self._listed: list[Problem] = []
        self.count = 0
        self.notes: list[Note] = []

    def add(self, code: str, template: str, *, place: Place = NOWHERE, **params: object) -> None:
        """One problem; ``template`` is a msgid."""
        self.count += 1
        if len(self._listed) < self._most:
            self._listed.append(
                Problem(
                    code=code,
                    template=template,
                    params={name: printable(value) for name, value in params.items()},
                    row=place.row,
                    column=printable(place.column),
                    pointer=printable(place.pointer),
                )
            )

    def add_error(self, error: DomainError, *, place: Place = NOWHERE) -> None:
        """A domain error as a problem of ``place``."""
        self.add(error.code, str(error.template), place=place, **error.params)

    def note(self, code: str, template: str, **params: object) -> None:
        """Something that is no problem but must not stay unsaid."""
        self.notes.append(Note(code=code, template=template, params=params))

    def refusal(self) -> ImportRefusedError:
        """The error that tells all of it."""
        return refusal(self._listed, notes=self.notes, count=self.count, most=self._most)

    def stop_if_any(self) -> None:
        """Raise ImportRefusedError when there is a problem."""
        if self.count:
            raise self.refusal()


def refusal(
    problems: Sequence[Problem], *, notes: Sequence[Note], count: int = 0, most: int = LISTED
) -> ImportRefusedError:
    """The error for ``problems``: in the order of the rows, and saying how many more there are."""
    count = max(count, len(problems))
    listed = sorted(problems[:most], key=lambda problem: problem.row or 0)
    if count > len(listed):
        more = gettext_noop("%(more)s more problems are not listed.")
        listed.append(Problem(code="more-problems", template=more, params={"more": count - len(listed)}))
    return ImportRefusedError(tuple(listed), notes=tuple(notes), count=count)

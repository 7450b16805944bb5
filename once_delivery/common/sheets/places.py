"""Where something stands in a file: a row and column, or a pointer into JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """``row`` counts as a spreadsheet does (the header is row 1); ``column`` is “C (locale)”."""

    row: int | None = None
    column: str | None = None
    pointer: str | None = None


NOWHERE = Place()


def column_letter(index: int) -> str:
    """The spreadsheet's letter of a column; 0 is A, 26 is AA."""
    letters = ""
    rest = index + 1
    while rest:
        rest, digit = divmod(rest - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters


def column_label(index: int, header: str = "") -> str:
    """“C (locale)”: the letter for whoever scrolls, the header for whoever reads."""
    shown = " ".join(header.split())[:40]
    return f"{column_letter(index)} ({shown})" if shown else column_letter(index)


def pointer(path: Sequence[str | int]) -> str:
    """The JSON pointer (RFC 6901) of ``path``; an empty one is the whole document."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)

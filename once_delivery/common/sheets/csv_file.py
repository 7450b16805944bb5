"""CSV as spreadsheets write it: comma, semicolon or tab, quotes with line breaks, any encoding that is known."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence

from django.utils.translation import gettext_noop

from once_delivery.common.sheets.encoding import decoded
from once_delivery.common.sheets.limits import Limits
from once_delivery.common.sheets.places import Place
from once_delivery.common.sheets.problems import Problems
from once_delivery.common.sheets.sheet import Sheet
from once_delivery.common.sheets.tables import SheetBuilder

Known = Callable[[Sequence[str]], int]

_DELIMITERS = (",", ";", "\t")
_NAMES = {",": ",", ";": ";", "\t": "TAB"}
_SAID = re.compile(r"sep=([,;\t])\r?\n", re.IGNORECASE)  # Excel's own first line

OPEN_QUOTE = gettext_noop("A quote is opened in this row and never closed.")
BROKEN_QUOTE = gettext_noop(
    "The quotes of this row are broken: a quote inside a quoted cell is written twice."
)
TOO_LONG = gettext_noop("A cell of this row has more than %(most)s characters.")
DELIMITER = gettext_noop("The cells are separated by “%(delimiter)s”.")


def read_csv(data: bytes, limits: Limits, problems: Problems, known: Known = len) -> Sheet:
    """The table in ``data``; raises ImportRefusedError when it cannot be read to its end.

    ``known`` says how many of some headings are known: the delimiter is the one under which most are.
    """
    text = decoded(data, problems)
    skipped = 0
    said = _SAID.match(text)
    if said:
        delimiter, text, skipped = said[1], text[said.end() :], 1
    else:
        delimiter = _delimiter(text, known)
    if delimiter != ",":
        problems.note("delimiter", DELIMITER, delimiter=_NAMES[delimiter])
    builder = SheetBuilder(limits=limits, problems=problems)
    csv.field_size_limit(limits.cell_characters)
    number = skipped
    try:
        for number, cells in enumerate(_records(text, delimiter), skipped + 1):
            builder.add(number, cells)
    except csv.Error as error:
        _add_broken(str(error), Place(row=number + 1), limits, problems)
        raise problems.refusal() from None
    return builder.sheet()


def _records(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)


def _add_broken(said: str, place: Place, limits: Limits, problems: Problems) -> None:
    """The library's words are English only, so they are told in ours."""
    if "field limit" in said:
        problems.add("cell-too-long", TOO_LONG, place=place, most=limits.cell_characters)
    elif "end of data" in said:
        problems.add("broken-csv", OPEN_QUOTE, place=place)
    else:
        problems.add("broken-csv", BROKEN_QUOTE, place=place)


def _delimiter(text: str, known: Known) -> str:
    """The one under which most headings are known; a comma when none is better."""
    return max(_DELIMITERS, key=lambda delimiter: known(_first_record(text, delimiter)))


def _first_record(text: str, delimiter: str) -> list[str]:
    head = io.StringIO(text[:65_536], newline="")
    try:
        return next((cells for cells in csv.reader(head, delimiter=delimiter) if any(cells)), [])
    except csv.Error:
        return []

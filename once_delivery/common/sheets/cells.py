"""One cell as text or as a point in time. A cell that is something else is a problem of its place, never a guess."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime, time, timedelta, tzinfo
from decimal import Decimal

from django.utils.translation import gettext_noop

from once_delivery.common.moments import OTHER_TIMES, meant
from once_delivery.common.sheets.characters import bad_character, shown
from once_delivery.common.sheets.sheet import Cell

_DIGITS_KEPT = 10**15  # a spreadsheet forgets what comes after 15 digits
_SERIAL = re.compile(r"\d{5}(?:\.\d+)?")
_DATE = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ]+(.+))?")
_OFFSETS = timedelta(hours=16)  # PostgreSQL takes none that is as large
_SPREADSHEET_DAY_ZERO = datetime(1899, 12, 30)  # noqa: DTZ001

TIME = gettext_noop("“%(value)s” is no date. Write 2026-10-20 or 2026-10-20T09:30:00+08:00.")
SERIAL = gettext_noop(
    "“%(value)s” is a number, not a date (a spreadsheet would show %(date)s). Write it as a date."
)
DATE_IN_TEXT = gettext_noop(
    "The spreadsheet has made a date of this text. Format the cell as text and write it again."
)
DIGITS_LOST = gettext_noop(
    "The spreadsheet has lost digits of “%(value)s”. Format the cell as text and write it again."
)
NOT_TEXT = gettext_noop("Text is expected here, not %(found)s.")
CHARACTER = gettext_noop("The text holds the character %(character)s, which no text may hold.")
TOO_LONG = gettext_noop("The text has %(count)s characters; %(most)s are allowed.")


class CellError(Exception):
    """The cell is not what its column holds."""

    def __init__(self, code: str, template: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.template = template
        self.params = params


def text_of(cell: Cell) -> str:
    """The cell's text, byte for byte; a number as a person would write it."""
    if isinstance(cell, str):
        wrong = bad_character(cell)
        if wrong is not None:
            raise CellError("bad-character", CHARACTER, character=shown(wrong))
        return cell
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, Decimal):
        return format(cell, "f")
    if isinstance(cell, int | float):
        if abs(cell) >= _DIGITS_KEPT:
            raise CellError("digits-lost", DIGITS_LOST, value=str(cell))
        return str(int(cell)) if float(cell).is_integer() else repr(cell)
    if isinstance(cell, date | time | timedelta):
        raise CellError("date-in-text", DATE_IN_TEXT)
    raise CellError("not-text", NOT_TEXT, found="array" if isinstance(cell, list) else "object")


def word_of(cell: Cell, longest: int | None = None) -> str:
    """The cell's text, trimmed."""
    word = text_of(cell).strip()
    if longest is not None and len(word) > longest:
        raise CellError("too-long", TOO_LONG, count=len(word), most=longest)
    return word


def time_of(cell: Cell, zone: tzinfo) -> datetime:
    """A point in time; without an offset it is meant in ``zone``, without a time it is midnight.

    With the offset that was written, as far as a place can have it. Raises CellError: ``bad-time``, ``date-as-number``.
    """
    found = _time_of(cell, zone)
    at = meant(found)
    if at is None:
        raise CellError("bad-time", OTHER_TIMES, value=str(cell)[:40])
    return found if abs(found.utcoffset() or timedelta()) < _OFFSETS else at


def _time_of(cell: Cell, zone: tzinfo) -> datetime:
    if isinstance(cell, datetime):
        return cell if cell.tzinfo else cell.replace(tzinfo=zone)
    if isinstance(cell, date):
        return datetime(cell.year, cell.month, cell.day, tzinfo=zone)
    if isinstance(cell, time | timedelta | bool):
        raise CellError("bad-time", TIME, value=str(cell))
    text = unicodedata.normalize("NFKC", text_of(cell)).strip()
    if _SERIAL.fullmatch(text):
        day = (_SPREADSHEET_DAY_ZERO + timedelta(days=int(float(text)))).date().isoformat()
        raise CellError("date-as-number", SERIAL, value=text, date=day)
    found = _written_time(text)
    if found is None:
        raise CellError("bad-time", TIME, value=text[:40])
    return found if found.tzinfo else found.replace(tzinfo=zone)


def _written_time(text: str) -> datetime | None:
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    clock = (match[4] or "00:00").strip()
    try:
        return datetime.fromisoformat(f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}T{clock}")
    except ValueError:
        return None

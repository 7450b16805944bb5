"""Cells of a bill as amounts, units, currencies and days. Exact decimals; what could be read two ways is refused."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime, tzinfo
from decimal import ROUND_HALF_UP, Decimal

from django.utils.translation import gettext_noop

from billing.money import CURRENCIES
from billing.months import YEARS
from once_delivery.common.sheets.cells import CellError, text_of, time_of
from once_delivery.common.sheets.sheet import Cell

DECIMALS = 12  # that are kept of an amount; fal counts nano-dollars, prices of tokens have up to eleven
FINEST = Decimal(1).scaleb(-DECIMALS)
_LARGEST = Decimal(10) ** 15
_NUMBER = re.compile(r"-?\d{1,30}(\.\d{1,40})?([eE][-+]?\d{1,2})?")
_LOCAL = re.compile(r"[-+]?\d{1,3}([.,'\u00a0\u202f ]\d{3})+([.,]\d+)?|[-+]?\d+,\d+")
_SHEET_DIGITS = 15  # that a spreadsheet keeps; what a double says beyond them is noise

NO_AMOUNT = gettext_noop(
    "“%(value)s” is no amount. Write 1234.50: digits and a point, without a currency sign."
)
SEPARATORS = gettext_noop(
    "“%(value)s” has separators that mean different things in different countries. Write 1234.56."
)
TOO_LARGE = gettext_noop("“%(value)s” is larger than any amount that can be kept.")
TOO_FINE = gettext_noop("“%(value)s” has more than %(most)s decimals.")
NO_UNITS = gettext_noop("“%(value)s” are no units: a number above 0 is expected.")
NO_CURRENCY = gettext_noop("“%(value)s” is no currency of ISO 4217. Write its code, as in USD.")
OLD_TIME = gettext_noop("“%(value)s” is no date of a bill: years from 2000 to 2199 are.")


def amount_of(cell: Cell, *, round_finer: bool = False) -> Decimal:
    """The amount, digit by digit as it is written.

    ``round_finer``: a supplier's own float may have more decimals than are kept, and is rounded to those half up; else
    it is refused. Raises CellError: ``bad-amount``, ``number-with-separators``, ``too-many-decimals``,
    ``amount-too-large``.
    """
    number = _number(cell)
    if abs(number) >= _LARGEST:
        raise CellError("amount-too-large", TOO_LARGE, value=str(cell)[:40])
    kept = number.quantize(FINEST, rounding=ROUND_HALF_UP)
    if kept != number and not round_finer:
        raise CellError("too-many-decimals", TOO_FINE, value=str(cell)[:60], most=DECIMALS)
    return kept.normalize() if kept else Decimal(0)


def units_of(cell: Cell) -> Decimal:
    """A number above 0. Raises CellError."""
    try:
        units = amount_of(cell, round_finer=True)
    except CellError as error:
        if error.code != "bad-amount":
            raise
        raise CellError("bad-units", NO_UNITS, value=str(cell)[:40]) from None
    if units <= 0:
        raise CellError("bad-units", NO_UNITS, value=str(cell)[:40])
    return units


def currency_of(cell: Cell) -> str:
    """The code of a currency, whatever its case. Raises CellError: ``unknown-currency``."""
    code = text_of(cell).strip().upper()
    if code not in CURRENCIES:
        raise CellError("unknown-currency", NO_CURRENCY, value=code[:20])
    return code


def moment_of(cell: Cell, zone: tzinfo) -> datetime:
    """A point in time; without an offset it is meant in ``zone``. Raises CellError."""
    found = time_of(cell, zone)
    if found.year not in YEARS:
        raise CellError("bad-time", OLD_TIME, value=str(cell)[:40])
    return found


def seconds_of(cell: Cell) -> datetime:
    """A point in time as Unix seconds, as OpenAI writes it, or as a date. Raises CellError."""
    if isinstance(cell, int) and not isinstance(cell, bool) and 0 < cell < 2**33:
        return moment_of(datetime.fromtimestamp(cell, tz=UTC), UTC)
    return moment_of(cell, UTC)


def _number(cell: Cell) -> Decimal:
    if isinstance(cell, bool) or not isinstance(cell, str | int | float | Decimal):
        raise CellError("bad-amount", NO_AMOUNT, value=str(cell)[:40])
    if isinstance(cell, float):
        return Decimal(format(cell, f".{_SHEET_DIGITS}g"))
    if isinstance(cell, str):
        return _written(text_of(cell))
    return Decimal(cell)


def _written(text: str) -> Decimal:
    folded = unicodedata.normalize("NFKC", text).strip().replace("\u2212", "-")
    if _NUMBER.fullmatch(folded):
        return Decimal(folded)
    if _LOCAL.fullmatch(folded):
        raise CellError("number-with-separators", SEPARATORS, value=text[:40])
    raise CellError("bad-amount", NO_AMOUNT, value=text[:40])

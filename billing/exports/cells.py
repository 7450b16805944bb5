"""Cells as text (ACCOUNTING section 13): numbers are never escaped, texts never become formulas."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import ROUND_HALF_UP, Decimal

from billing.reports.columns import Cell, Column, Kind

# what a spreadsheet takes for the beginning of a formula, with the full-width forms that some read alike
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "{=")
_INVISIBLE = {"Cc", "Cf", "Zs"}  # a reader may skip these and see the formula behind them


def guarded(text: str) -> str:
    """A text that a spreadsheet might compute gets an apostrophe before it."""
    return f"'{text}" if text.startswith(_FORMULA) or _seen(text).startswith(_FORMULA) else text


def _seen(text: str) -> str:
    start = 0
    while start < len(text) and unicodedata.category(text[start]) in _INVISIBLE:
        start += 1
    return text[start:]


def money(amount: Decimal, decimals: int) -> Decimal:
    """With exactly so many decimals; nothing is never minus nothing."""
    fixed = amount.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)
    return fixed or abs(fixed)


def as_text(cell: Cell, kind: Kind, decimals: int) -> str:
    """One cell of a CSV file: plain numbers with a point, ISO dates, instants in UTC."""
    if cell is None:
        return ""
    if isinstance(cell, Decimal):
        return format(money(cell, decimals) if kind is Kind.MONEY else plain(cell), "f")
    if isinstance(cell, int):
        return str(cell)
    if isinstance(cell, datetime):
        return cell.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(cell, date):
        return cell.isoformat()
    return guarded(cell)


def as_texts(row: Sequence[Cell], columns: Sequence[Column], decimals: int) -> list[str]:
    """One row of a CSV file."""
    return [as_text(cell, column.kind, decimals) for cell, column in zip(row, columns, strict=True)]


def plain(number: Decimal) -> Decimal:
    """Without the zeros that a column of the database has behind the point."""
    return number.quantize(Decimal(1)) if number == number.to_integral_value() else number.normalize()

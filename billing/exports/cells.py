"""Cells as text (ACCOUNTING section 13): numbers are never escaped, texts never become formulas."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import ROUND_HALF_UP, Decimal

from billing.reports.columns import Cell, Column, Kind
from once_delivery.common.sheets.formulas import guarded


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

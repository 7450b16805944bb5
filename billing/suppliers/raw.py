"""A supplier's own line as it stood in the file, kept beside what was read of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from once_delivery.common.sheets.characters import printable
from once_delivery.common.sheets.sheet import Row, Sheet, is_blank

_LONGEST = 2_000  # of one value
_MOST = 120  # values of one line
_DEEPEST = 6
# what was asked and answered is no part of a bill, and a key is a secret
_PRIVATE = frozenset({"messages", "response", "api_key", "proxy_server_request", "metadata"})


def raw_row(sheet: Sheet, row: Row) -> dict[str, Any]:
    """Heading → value of the cells that say something, as JSON can keep them."""
    cells = zip(sheet.header, row.cells, strict=False)
    return {str(printable(name[:200])): kept(cell) for name, cell in list(cells)[:_MOST] if _told(name, cell)}


def _told(name: str, cell: Any) -> bool:
    return bool(name) and name not in _PRIVATE and not is_blank(cell)


def kept(value: Any, depth: int = 0) -> Any:
    """``value`` as JSON: decimals and dates as text, long things cut."""
    if isinstance(value, Mapping | list):
        return _deeper(value, depth)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return printable(str(value)[:_LONGEST])


def _deeper(value: Mapping[str, Any] | list[Any], depth: int) -> Any:
    if depth >= _DEEPEST:
        return "…"
    if isinstance(value, list):
        return [kept(one, depth + 1) for one in value[:_MOST]]
    return {
        str(printable(str(name)[:200])): kept(one, depth + 1)
        for name, one in list(value.items())[:_MOST]
        if name not in _PRIVATE
    }

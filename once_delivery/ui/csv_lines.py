"""Lines of CSV files that people open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_line(cells: Sequence[str | int]) -> bytes:
    """One line, UTF-8; a text that a spreadsheet would take for a formula gets an apostrophe before it."""
    text = io.StringIO()
    csv.writer(text).writerow([_safe(cell) for cell in cells])
    return text.getvalue().encode()


def _safe(cell: str | int) -> str | int:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell

"""Lines of CSV files that people open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from once_delivery.common.sheets.formulas import guarded


def csv_line(cells: Sequence[str | int]) -> bytes:
    """One line, UTF-8; a text that a spreadsheet would take for a formula gets an apostrophe before it."""
    text = io.StringIO()
    csv.writer(text).writerow([guarded(cell) if isinstance(cell, str) else cell for cell in cells])
    return text.getvalue().encode()

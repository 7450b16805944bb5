"""Cells of a file that people open in a spreadsheet: what a target wrote must not become a formula there."""

from __future__ import annotations

from collections.abc import Sequence

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def safe_row(row: Sequence[str]) -> list[str]:
    """Each cell as text."""
    return [f"'{cell}" if cell.startswith(_FORMULAS) else cell for cell in row]

"""Texts that a spreadsheet would compute (ACCOUNTING section 13, after OWASP): in every file that people open."""

from __future__ import annotations

import unicodedata

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

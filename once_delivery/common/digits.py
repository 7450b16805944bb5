"""Whole numbers as they come in addresses and forms: read in one way, whoever sends them."""

from __future__ import annotations

import re

INTEGER, BIGINT = 2**31 - 1, 2**63 - 1  # what a column of PostgreSQL holds
_DIGITS = re.compile(r"0*([0-9]{1,19})")  # bounded: int() of a million digits takes minutes


def whole_number(text: str, *, least: int = 0, most: int = BIGINT) -> int | None:
    """The number that ``text`` is; None when it is none, or not from ``least`` to ``most``.

    ASCII digits and nothing else: no sign, no blank, no group, no digit of another script. Zeros before it mean nothing.
    """
    found = _DIGITS.fullmatch(text)
    if found is None:
        return None
    number = int(found[1])
    return number if least <= number <= most else None

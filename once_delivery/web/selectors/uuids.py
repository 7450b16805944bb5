"""The beginning of a UUID as the range of those that begin so: found by their index."""

from __future__ import annotations

import re
from uuid import UUID

LEAST = 4  # hex digits: fewer would mean half of everything
DIGITS = 32

_BEGINNING = re.compile(r"[0-9a-f]+(-[0-9a-f]*)*", re.IGNORECASE)


def uuid_range(text: str) -> tuple[UUID, UUID] | None:
    """The first and the last UUID that begin with ``text``; None when none does, or too many."""
    digits = text.replace("-", "")
    if not _BEGINNING.fullmatch(text) or not LEAST <= len(digits) <= DIGITS:
        return None
    return UUID(digits.ljust(DIGITS, "0")), UUID(digits.ljust(DIGITS, "f"))


def uuid_or_none(text: str) -> UUID | None:
    """A whole UUID; None when ``text`` is none, so that a filter by it finds nothing."""
    try:
        return UUID(text)
    except ValueError:
        return None

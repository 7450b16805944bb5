"""Characters that no text may hold: control characters and halves of surrogate pairs."""

from __future__ import annotations

import re
import unicodedata
from typing import TypeVar

Value = TypeVar("Value")

# Tab and line breaks are text. The rest is damage, or something that a target or PostgreSQL would choke on.
_BAD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def bad_character(text: str) -> str | None:
    """The first character of ``text`` that no text may hold."""
    match = _BAD.search(text)
    return match[0] if match else None


def shown(character: str) -> str:
    """A character that cannot be printed, as people write it: “U+0000”."""
    name = unicodedata.name(character, "")
    return f"U+{ord(character):04X}" + (f" ({name})" if name else "")


def printable(value: Value) -> Value | str:
    """A text from a file so that terminals, logs and pages can show it; anything else as it is."""
    return _BAD.sub("\ufffd", value) if isinstance(value, str) else value

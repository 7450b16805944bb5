"""Which items an answer shows to who asked. Pure."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from once_delivery.vendor_drill.items import Item

_SHORTEST_ID = 6  # a shorter ID is a number that stands in many answers


def shown(items: Sequence[Item], names: Mapping[str, AbstractSet[str]], path: str, text: str) -> str:
    """Letters of the items whose value or ID stands in ``text``, or whose ID was asked for and found."""
    parts = set(path.partition("?")[0].split("/"))
    return "".join(
        one.letter for one in items if _shows(one.value, names.get(one.letter, frozenset()), parts, text)
    )


def _shows(value: str, names: AbstractSet[str], parts: set[str], text: str) -> bool:
    if parts & names:
        return True
    signs = [value, *(name for name in names if len(name) >= _SHORTEST_ID)]
    return any(_stands_in(text, sign) for sign in signs if sign)


def _stands_in(text: str, sign: str) -> bool:
    """As it is, or as JSON or HTML writes it."""
    return sign in text or json.dumps(sign)[1:-1] in text or html.escape(sign) in text

"""Which items an answer shows to who asked. Pure."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from once_delivery.vendor_drill.items import Item
from once_delivery.vendor_drill.paths import is_near, steps_of
from once_delivery.vendor_drill.recognising import document_of, listed_ids
from once_delivery.vendor_drill.words import spoken

_SHORTEST_ID = 6  # a shorter ID is a number that stands in many answers
_SHORTEST_SAID = 8  # with a space at either end: the signs of a shorter value are what tells it apart
_DEEPEST = 40


def shown(
    items: Sequence[Item], names: Mapping[str, AbstractSet[str]], path: str, text: str, creates_at: str = ""
) -> str:
    """Letters of the items whose value or ID stands in ``text``, or whose ID was asked for and found.

    A short ID counts where an object of the answer has it for its own, and the question was about what is made at
    ``creates_at``.
    """
    document = document_of(text)
    read = _Read(text, document)
    there = steps_of(path) | (listed_ids(document) if is_near(path, creates_at) else frozenset())
    return "".join(
        one.letter for one in items if _shows(one.value, names.get(one.letter, frozenset()), there, read)
    )


def _shows(value: str, names: AbstractSet[str], there: AbstractSet[str], read: _Read) -> bool:
    if there & names:
        return True
    signs = [value, *(name for name in names if len(name) >= _SHORTEST_ID)]
    return any(read.holds(sign) for sign in signs if sign)


class _Read:
    """One answer, as it came and as a reader takes it."""

    def __init__(self, text: str, document: Any) -> None:
        self._text = text
        texts = list(_texts(document)) if document is not None else [text]
        self._plain = html.unescape("\n".join(texts))
        # a text at a time, so that the end of one and the beginning of the next make no sign
        self._said = "|".join(map(spoken, texts))

    def holds(self, sign: str) -> bool:
        """As it was written, or as the words of a longer one; what is not read as JSON may hold it as JSON writes it."""
        if _standing(sign).search(self._plain) or _standing(json.dumps(sign)[1:-1]).search(self._text):
            return True
        said = spoken(sign)
        return len(said) >= _SHORTEST_SAID and said in self._said


def _standing(sign: str) -> re.Pattern[str]:
    """Not as a part of a longer word; Chinese has no ends of words to look for."""
    before = r"(?<![0-9A-Za-z])" if sign[:1].isascii() and sign[:1].isalnum() else ""
    after = r"(?![0-9A-Za-z])" if sign[-1:].isascii() and sign[-1:].isalnum() else ""
    return re.compile(before + re.escape(sign) + after)


def _texts(document: Any, depth: int = 0) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    if isinstance(document, Mapping):
        document = [*document.keys(), *document.values()]
    if isinstance(document, list):
        for one in document:
            yield from _texts(one, depth + 1)
    elif isinstance(document, str | int):
        yield str(document)

"""Differences between two texts by words, for pages that show both side by side. Pure."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

MOST = 4000  # words a side; longer texts are compared by their lines

# a word, or one character of a script that puts no space between words
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]|\w+|\s+|[^\w\s]")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_UNSEEN = re.compile(r"<(script|style)\b.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(r"</?(?:p|div|h[1-6]|li|ul|ol|tr|table|blockquote|section|br|hr)\b[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that is the same on the other side, or is not there."""

    text: str
    same: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """Both texts in pieces, and how many places differ."""

    before: tuple[Piece, ...]
    after: tuple[Piece, ...]
    places: int


def differences(before: str, after: str) -> Difference:
    """The two texts in pieces."""
    left, right = _WORD.findall(before), _WORD.findall(after)
    if max(len(left), len(right)) > MOST:
        left, right = _LINE.findall(before), _LINE.findall(after)
    one: list[Piece] = []
    other: list[Piece] = []
    places = 0
    for what, i1, i2, j1, j2 in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        same = what == "equal"
        places += not same
        _add(one, left[i1:i2], same=same)
        _add(other, right[j1:j2], same=same)
    return Difference(tuple(one), tuple(other), places)


def plain(text: str) -> str:
    """What a person reads of a text with markup: its words, a line for each block."""
    lines = html.unescape(_TAG.sub("", _BREAK.sub("\n", _UNSEEN.sub("", text)))).splitlines()
    return "\n".join(" ".join(line.split()) for line in lines if line.strip())


def _add(pieces: list[Piece], words: Iterable[str], *, same: bool) -> None:
    text = "".join(words)
    if text:
        pieces.append(Piece(text, same))

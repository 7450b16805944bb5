"""Differences between two texts by words, for pages that show both side by side. Pure."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

MOST = 1500  # words a side, for comparing costs their square; longer texts are compared by their lines
LONGEST = 200_000  # characters that are read of a text with markup; a target may send anything

# a word, or one character of a script that puts no space between words
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]|\w+|\s+|[^\w\s]")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_UNSEEN = re.compile(r"<(script|style)\b", re.IGNORECASE)
_ENDS = {name: re.compile(rf"</{name}[^<>]*>", re.IGNORECASE) for name in ("script", "style")}
_BREAK = re.compile(r"</?(?:p|div|h[1-6]|li|ul|ol|tr|table|blockquote|section|br|hr)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


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
    if max(len(left), len(right)) > MOST:
        left, right = [before] if before else [], [after] if after else []
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
    lines = html.unescape(_TAG.sub("", _BREAK.sub("\n", _seen(text[:LONGEST])))).splitlines()
    return "\n".join(" ".join(line.split()) for line in lines if line.strip())


def _seen(text: str) -> str:
    """Without scripts and styles; one that does not end hides the rest, as it does in a browser."""
    kept, place = [], 0
    while (found := _UNSEEN.search(text, place)) is not None:
        kept.append(text[place : found.start()])
        end = _ENDS[found[1].lower()].search(text, found.end())
        if end is None:
            return "".join(kept)
        place = end.end()
    return "".join((*kept, text[place:]))


def _add(pieces: list[Piece], words: Iterable[str], *, same: bool) -> None:
    text = "".join(words)
    if text:
        pieces.append(Piece(text, same))

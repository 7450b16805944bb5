"""What changed between two texts: word by word, in Chinese and Japanese character by character. Pure."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import pairwise

# Han, kana and full-width signs stand alone; else a word, a run of blanks, or one sign
_HANS = r"\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
_LETTER = rf"(?:(?![{_HANS}])[^\W_])"
_TOKEN = re.compile(rf"[{_HANS}]|{_LETTER}+(?:['’\-]{_LETTER}+)*|\s+|.")
_WORD = re.compile(r"[^\W_]")
_TOKENS_MOST = 3000  # comparing costs their square; beyond it a paragraph is shown as replaced whole
_LINES_MOST = 4000
LONGEST = 200_000  # characters that are read of a text with markup; a target may send anything

_UNSEEN = re.compile(r"<(script|style)\b", re.IGNORECASE)
_ENDS = {name: re.compile(rf"</{name}[^<>]*>", re.IGNORECASE) for name in ("script", "style")}
_BREAK = re.compile(r"</?(?:p|div|h[1-6]|li|ul|ol|tr|table|blockquote|section|br|hr)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


class Change(StrEnum):
    """What became of a piece of text."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text with one fate."""

    change: Change
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One field. ``added`` and ``removed`` count words (characters, where the script has no blanks)."""

    name: str
    pieces: tuple[Piece, ...]

    @property
    def added(self) -> int:
        return sum(_count(piece.text) for piece in self.pieces if piece.change is Change.ADDED)

    @property
    def removed(self) -> int:
        return sum(_count(piece.text) for piece in self.pieces if piece.change is Change.REMOVED)

    @property
    def changed(self) -> bool:
        return any(piece.change is not Change.SAME for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Sides:
    """Both texts in pieces, side by side, and how many places differ."""

    before: tuple[Piece, ...]
    after: tuple[Piece, ...]
    places: int


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> list[Difference]:
    """Every field of either text; those of ``after`` in their order, then those that are no more."""
    names = [*after, *(name for name in before if name not in after)]
    return [Difference(name, pieces_of(before.get(name, ""), after.get(name, ""))) for name in names]


def sides(before: str, after: str) -> Sides:
    """The two texts in pieces."""
    pieces = pieces_of(before, after)
    changed = [piece.change is not Change.SAME for piece in pieces]
    begins = (now and not then for then, now in pairwise((False, *changed)))
    return Sides(
        tuple(piece for piece in pieces if piece.change is not Change.ADDED),
        tuple(piece for piece in pieces if piece.change is not Change.REMOVED),
        sum(begins),
    )


def pieces_of(before: str, after: str) -> tuple[Piece, ...]:
    """Paragraphs first, then the words within paragraphs that changed. Joined, the pieces are both texts."""
    if before == after:
        return (Piece(Change.SAME, after),) if after else ()
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    if max(len(old), len(new)) > _LINES_MOST:
        return _merged(_replaced(before, after))
    return _merged(_compared(old, new, within=True))


def _compared(old: Sequence[str], new: Sequence[str], *, within: bool) -> Iterator[Piece]:
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone, come = "".join(old[i1:i2]), "".join(new[j1:j2])
        if tag == "equal":
            yield Piece(Change.SAME, come)
        elif tag == "replace" and within:
            yield from _words(gone, come)
        else:
            yield from _replaced(gone, come)


def _words(gone: str, come: str) -> Iterator[Piece]:
    old, new = _TOKEN.findall(gone), _TOKEN.findall(come)
    if max(len(old), len(new)) > _TOKENS_MOST:
        yield from _replaced(gone, come)
    else:
        yield from _compared(old, new, within=False)


def _replaced(gone: str, come: str) -> Iterator[Piece]:
    yield Piece(Change.REMOVED, gone)
    yield Piece(Change.ADDED, come)


def _merged(pieces: Iterator[Piece]) -> tuple[Piece, ...]:
    """A blank between two changed words is part of the change: one mark, not three."""
    found = [piece for piece in pieces if piece.text]
    groups: list[Piece] = []
    removed: list[str] = []
    added: list[str] = []
    for at, piece in enumerate(found):
        between = piece.change is Change.SAME and _is_gap(piece.text) and 0 < at < len(found) - 1
        if piece.change is Change.REMOVED or between:
            removed.append(piece.text)
        if piece.change is Change.ADDED or between:
            added.append(piece.text)
        if piece.change is Change.SAME and not between:
            groups += _flushed(removed, added)
            groups.append(piece)
    return (*groups, *_flushed(removed, added))


def _is_gap(text: str) -> bool:
    return text.isspace() and "\n" not in text


def _flushed(removed: list[str], added: list[str]) -> list[Piece]:
    pieces = [Piece(Change.REMOVED, "".join(removed)), Piece(Change.ADDED, "".join(added))]
    removed.clear()
    added.clear()
    return [piece for piece in pieces if piece.text]


def _count(text: str) -> int:
    return sum(1 for token in _TOKEN.findall(text) if _WORD.match(token))


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

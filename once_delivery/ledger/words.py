"""Words of a title for searching: in scripts that put no space between words, characters and pairs of them. Pure."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 60  # characters of a word
MOST = 200  # words of a title

_HAN = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af"
_RUN = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+")
_IS_HAN = re.compile(rf"[{_HAN}]")


def words_of(text: str) -> list[str]:
    """What a title is found by, each once: “保温杯 350” gives 保, 温, 杯, 保温, 温杯, 350."""
    found: dict[str, None] = {}
    for run in _runs(text):
        if _IS_HAN.match(run):
            found |= dict.fromkeys([*run, *_pairs(run)])
        else:
            found[run[:LONGEST]] = None
    return list(found)[:MOST]


def asked_words(text: str) -> list[tuple[str, bool]]:
    """What must be there for ``text`` to be found; True: a word that only begins so is enough."""
    asked: list[tuple[str, bool]] = []
    for run in _runs(text):
        if not _IS_HAN.match(run):
            asked.append((run[:LONGEST], True))
        else:
            asked += [(pair, False) for pair in (_pairs(run) or [run])]
    return asked[:MOST]


def _runs(text: str) -> list[str]:
    return _RUN.findall(unicodedata.normalize("NFKC", text).casefold())


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]

"""Strict JSON: no key twice, no NaN, no number that loses digits, no character that no text may hold, not too deep."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from django.utils.translation import gettext_noop

from once_delivery.common.sheets.characters import bad_character, shown

Path = tuple[str | int, ...]
_SAFE_INTEGER = 2**53 - 1
_LONGEST_INTEGER = len(str(-_SAFE_INTEGER))
_LONGEST_EXACT = 60  # digits, and the size of an exponent: no amount of money needs more

TOO_DEEP = gettext_noop("The JSON is nested deeper than %(most)s levels.")
KEY_TWICE = gettext_noop("The key “%(key)s” is there twice.")
NOT_A_NUMBER = gettext_noop("%(value)s is no number that JSON can carry without loss. Write it as text.")
BAD_CHARACTER = gettext_noop("The text holds the character %(character)s, which no text may hold.")


class TooDeepError(Exception):
    """Nested so deep that not even reading it is safe."""


@dataclass(frozen=True, slots=True)
class JsonFlaw:
    """One thing that is wrong inside a document that is JSON."""

    path: Path
    code: str
    template: str
    params: dict[str, Any]


class _Object(dict[str, Any]):
    """An object that remembers which of its keys were written twice."""

    doubled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _BadNumber:
    written: str


def strict_json(text: str, *, depth: int, exact: bool = False) -> tuple[Any, list[JsonFlaw]]:
    """The document, and what is wrong with it: with flaws it is not to be used. ``exact``: fractions as Decimal.

    Raises json.JSONDecodeError and TooDeepError.
    """
    try:
        document = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_exact_integer if exact else _integer,
            parse_float=_exact if exact else _float,
            parse_constant=_BadNumber,
        )
    except RecursionError:
        raise TooDeepError from None
    return document, list(_flaws(document, depth))


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    found = _Object(pairs)
    if len(found) < len(pairs):
        times = Counter(key for key, _ in pairs)
        found.doubled = tuple(key for key in found if times[key] > 1)
    return found


def _integer(written: str) -> int | _BadNumber:
    # the length first: Python refuses to read thousands of digits
    if len(written) > _LONGEST_INTEGER or abs(int(written)) > _SAFE_INTEGER:
        return _BadNumber(written[:40])
    return int(written)


def _float(written: str) -> float | _BadNumber:
    number = float(written)
    return number if abs(number) != float("inf") else _BadNumber(written[:40])


def _exact_integer(written: str) -> int | _BadNumber:
    return int(written) if len(written) <= _LONGEST_EXACT else _BadNumber(written[:40])


def _exact(written: str) -> Decimal | _BadNumber:
    try:
        number = Decimal(written) if len(written) <= _LONGEST_EXACT else None
    except InvalidOperation:  # an exponent that not even Decimal holds
        number = None
    if number is None or abs(number.adjusted()) > _LONGEST_EXACT:
        return _BadNumber(written[:40])
    return number


def _flaws(document: Any, depth: int) -> Iterator[JsonFlaw]:
    for path, node in _nodes(document):
        if len(path) > depth:
            yield JsonFlaw(path, "too-deep", TOO_DEEP, {"most": depth})
            return
        if isinstance(node, _Object):
            for key in node.doubled:
                yield JsonFlaw(path, "key-twice", KEY_TWICE, {"key": key[:80]})
        elif isinstance(node, _BadNumber):
            yield JsonFlaw(path, "bad-number", NOT_A_NUMBER, {"value": node.written})
        elif isinstance(node, str) and (wrong := bad_character(node)) is not None:
            yield JsonFlaw(path, "bad-character", BAD_CHARACTER, {"character": shown(wrong)})


def _nodes(document: Any) -> Iterator[tuple[Path, Any]]:
    """Every node with its path, without recursion: the depth is not known to be harmless yet."""
    waiting: list[tuple[Path, Any]] = [((), document)]
    while waiting:
        path, node = waiting.pop()
        yield path, node
        if isinstance(node, dict):
            for key, value in reversed(node.items()):
                waiting.append(((*path, key), value))
                if bad_character(key) is not None:
                    waiting.append(((*path, key), key))
        elif isinstance(node, list):
            waiting.extend(((*path, index), node[index]) for index in range(len(node) - 1, -1, -1))

"""Strict JSON: no key twice, no NaN, no number that loses digits, not too deep; every problem has a pointer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop

from once_delivery.intake.characters import bad_character, shown
from once_delivery.intake.limits import Limits
from once_delivery.intake.places import Place, pointer
from once_delivery.intake.problems import Problems
from once_delivery.intake.readers.encoding import decoded

_SAFE_INTEGER = 2**53 - 1
_LONGEST_INTEGER = len(str(-_SAFE_INTEGER))

BROKEN = gettext_noop("This is not JSON: line %(line)s, column %(column)s.")
TOO_DEEP = gettext_noop("The JSON is nested deeper than %(most)s levels.")
KEY_TWICE = gettext_noop("The key “%(key)s” is there twice.")
NOT_A_NUMBER = gettext_noop("%(value)s is no number that JSON can carry without loss. Write it as text.")
BAD_CHARACTER = gettext_noop("The text holds the character %(character)s, which no text may hold.")


class _Object(dict[str, Any]):
    """An object that remembers which of its keys were written twice."""

    doubled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _BadNumber:
    written: str


def read_json(data: bytes, limits: Limits, problems: Problems) -> Any:
    """What ``data`` says; raises ImportRefusedError with every problem that lies in the JSON itself."""
    text = decoded(data, problems)
    try:
        document = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_float,
            parse_constant=_BadNumber,
        )
    except json.JSONDecodeError as error:
        problems.add("broken-json", BROKEN, line=error.lineno, column=error.colno)
        raise problems.refusal() from None
    except RecursionError:
        problems.add("too-deep", TOO_DEEP, most=limits.depth)
        raise problems.refusal() from None
    _check(document, limits, problems)
    problems.stop_if_any()
    return document


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    found = _Object(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        found.doubled = tuple(key for key in found if keys.count(key) > 1)
    return found


def _integer(written: str) -> int | _BadNumber:
    # the length first: Python refuses to read thousands of digits
    if len(written) > _LONGEST_INTEGER or abs(int(written)) > _SAFE_INTEGER:
        return _BadNumber(written[:40])
    return int(written)


def _float(written: str) -> float | _BadNumber:
    number = float(written)
    return number if abs(number) != float("inf") else _BadNumber(written[:40])


def _check(document: Any, limits: Limits, problems: Problems) -> None:
    for path, node in _nodes(document):
        if len(path) > limits.depth:
            problems.add("too-deep", TOO_DEEP, place=_at(path), most=limits.depth)
            return
        if isinstance(node, _Object):
            for key in node.doubled:
                problems.add("key-twice", KEY_TWICE, place=_at(path), key=key[:80])
        elif isinstance(node, _BadNumber):
            problems.add("bad-number", NOT_A_NUMBER, place=_at(path), value=node.written)
        elif isinstance(node, str) and (wrong := bad_character(node)) is not None:
            problems.add("bad-character", BAD_CHARACTER, place=_at(path), character=shown(wrong))


def _nodes(document: Any) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every node with its path, without recursion: the depth is not known to be harmless yet."""
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), document)]
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


def _at(path: tuple[str | int, ...]) -> Place:
    return Place(pointer=pointer(path))

"""Is this job the one that we ordered? Asked where a job carries nothing of ours. Pure.

Time and model say that it may be; the order's own words say that it is. Two orders with the same words cannot be told
apart, and are not guessed at.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from once_delivery.targets.http_json.documents import MISSING, at
from once_delivery.targets.http_json.template import TemplateError
from once_delivery.targets.jobs.objects import Sought
from once_delivery.targets.jobs.requests import ordered
from once_delivery.targets.jobs.spec import Match

_CUT_FROM = 200  # characters: two different prompts do not begin alike for so long by chance


class Likeness(enum.Enum):
    """How far a job fits an order."""

    OTHER = "other"  # something that can be compared differs
    ALIKE = "alike"  # nothing differs, and nothing tells
    SAME = "same"  # what was ordered stands in it
    UNREADABLE = "unreadable"  # what would tell is not shown (yet)


def likeness(document: Any, matches: Iterable[Match], payload: Mapping[str, Any]) -> Likeness:
    """Compare one job with one order."""
    values = ordered(payload, Sought())
    found = Likeness.ALIKE
    for match in matches:
        try:
            wanted = match.value.text(values)
        except TemplateError:
            return Likeness.OTHER  # an order without this field is none of that model
        if wanted is None:
            continue
        shown = [str(value) for value in _shown(document, match)]
        if not shown:
            if match.tells:
                found = Likeness.UNREADABLE
            continue
        if not any(_fits(one, wanted, match.split) for one in shown):
            return Likeness.OTHER
        if match.tells and found is not Likeness.UNREADABLE:
            found = Likeness.SAME
    return found


def _shown(document: Any, match: Match) -> Iterator[Any]:
    for pointer in match.pointers:
        value = at(pointer, document)
        if value is not MISSING and value is not None:
            yield value


def _fits(shown: str, wanted: str, split: str) -> bool:
    """Equal but for white space; a service may also cut what is too long for it."""
    shown, wanted = _plain(shown), _plain(wanted)
    if split and shown in wanted.split(split):
        return True
    return shown == wanted or (len(shown) >= _CUT_FROM and wanted.startswith(shown))


def _plain(text: str) -> str:
    return " ".join(text.split())

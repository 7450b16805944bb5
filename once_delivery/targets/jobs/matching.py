"""Is this job the one that we ordered? Asked where a job carries nothing of ours. Pure.

Time and model say that it may be; the order's own words say that it is. Two orders with the same words cannot be told
apart, and are not guessed at.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from typing import Any

from once_delivery.targets.http_json.documents import MISSING, at
from once_delivery.targets.http_json.template import TemplateError
from once_delivery.targets.jobs.objects import Sought
from once_delivery.targets.jobs.requests import ordered
from once_delivery.targets.jobs.spec import Match


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
        shown = at(match.pointer, document)
        if shown is MISSING or shown is None:
            if match.tells:
                found = Likeness.UNREADABLE
            continue
        if _plain(str(shown)) != _plain(wanted):
            return Likeness.OTHER
        if match.tells and found is not Likeness.UNREADABLE:
            found = Likeness.SAME
    return found


def _plain(text: str) -> str:
    return " ".join(text.split())

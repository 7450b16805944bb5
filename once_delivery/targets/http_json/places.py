"""Going on behind an object in a list that is ordered by ascending number: the place is found again by the number.

An offset alone would skip objects as soon as one before it has been deleted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any

from once_delivery.targets.http_json.paging import CutError

_PLACE = re.compile(r"(\d{1,9}):(\d{1,18})")
_STEP = 20


def numbered(
    read: Callable[[int], Iterator[Mapping[str, Any]]], after: str = ""
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each item with its place. ``read`` gives the items from an offset on, by ascending number in ``id``.

    ``after``: a place of an earlier reading; only what has a higher number than the object there is given. Raises
    CutError ``bad-place`` for what is no place.
    """
    position, last = place_of(after)
    start, items = _at(read, position, last)
    for number, item in enumerate(items, start + 1):
        if int(item["id"]) > last:
            yield f"{number}:{item['id']}", item


def place_of(text: str) -> tuple[int, int]:
    """How many items there were up to a place, and the last one's number; raises CutError ``bad-place``."""
    if not text:
        return 0, -1
    match = _PLACE.fullmatch(text)
    if match is None:
        raise CutError("bad-place", detail=text[:40])
    return int(match[1]), int(match[2])


def _at(
    read: Callable[[int], Iterator[Mapping[str, Any]]], position: int, last: int
) -> tuple[int, Iterator[Mapping[str, Any]]]:
    """The items from the last one that is known to have been read; further to the front when some before it went."""
    start, step = max(position - 1, 0), _STEP
    while True:
        items = read(start)
        first = next(items, None)
        if start == 0 or (first is not None and int(first["id"]) <= last):
            return start, chain([first] if first is not None else [], items)
        start, step = max(start - step, 0), step * 2

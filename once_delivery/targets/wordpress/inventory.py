"""Everything of one kind that our account is shown, in every status, and with the plugin everything that carries a marker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from once_delivery.targets.base import FoundObject
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.places import numbered, place_of
from once_delivery.targets.wordpress.site import Site

# WordPress compares whole seconds
_SECOND = timedelta(seconds=1)


def inventory(site: Site, *, changed_since: datetime | None = None, after: str = "") -> Iterator[FoundObject]:
    """By ascending ID, so that what is added meanwhile comes at the end; raises CutError when it cannot be read to it."""
    whose = site.shown_to_us()
    if changed_since is not None:
        if after:
            raise CutError("cannot-go-on")
        yield from _changed(site, whose, changed_since - _SECOND)
    else:
        yield from _all(site, whose, after)


def _all(site: Site, whose: Mapping[str, str], after: str) -> Iterator[FoundObject]:
    """What we are shown, and between them what others have their name on now but carries a marker."""
    position, last = place_of(after)
    marked = _Marked(site, last)
    for place, post in numbered(lambda skipped: site.by_number(skipped, **whose), after):
        yield from marked.before(int(post["id"]), position)
        position = place_of(place)[0]
        yield replace(site.found(post), place=place)
    yield from marked.before(None, position)


class _Marked:
    """What the plugin knows, by ascending ID; nothing without it."""

    def __init__(self, site: Site, last: int) -> None:
        there = site.all_marked(after=max(last, 0)) if site.parameters.plugin else iter(())
        self._objects: Iterator[FoundObject] = iter(there)
        self._next = next(self._objects, None)

    def before(self, number: int | None, position: int) -> Iterator[FoundObject]:
        """Those with a smaller ID than ``number``, which itself is left out."""
        while self._next is not None and (number is None or int(self._next.result_id) <= number):
            if int(self._next.result_id) != number:
                yield replace(self._next, place=f"{position}:{self._next.result_id}")
            self._next = next(self._objects, None)


def _changed(site: Site, whose: Mapping[str, str], since: datetime) -> Iterator[FoundObject]:
    """What WordPress says was modified since, and what it cannot say that of.

    A post that is made with a date of its own gets that date as the time of its modification too. So among the newest by
    number those are given as well that look as if nobody had saved them since they were made.
    """
    seen = set()
    text = since.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    for post in site.by_number(0, **whose, modified_after=text):
        seen.add(str(post["id"]))
        yield site.found(post)
    for post in site.newest(**whose):
        if str(post["id"]) not in seen and _never_saved_again(post):
            seen.add(str(post["id"]))
            yield site.found(post)
    if site.parameters.plugin:
        for found in site.all_marked():
            if found.result_id not in seen and (found.updated_at is None or found.updated_at > since):
                yield found


def _never_saved_again(post: Mapping[str, Any]) -> bool:
    return post.get("date_gmt") == post.get("modified_gmt")

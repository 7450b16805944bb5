"""From one page to the next, and how to know that it was the last."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from jsonpointer import JsonPointer

from once_delivery.targets.http_json.documents import MISSING, at
from once_delivery.targets.http_json.values import identifier

_LINK = re.compile(r"<([^>]*)>((?:\s*;\s*[^,;\"]+(?:\"[^\"]*\")?)*)")
_REL_NEXT = re.compile(r";\s*rel\s*=\s*\"?(?:[^\";]*\s)?next(?:\s[^\";]*)?\"?\s*(?:;|$)", re.IGNORECASE)
_MAX_PAGES = 20_000
PAGE_S = 60.0  # for one page, whatever the whole list may take


class CutError(Exception):
    """The pages could not be read to their end; ``code`` says why."""

    def __init__(
        self,
        code: str,
        *,
        http_status: int | None = None,
        retry_after_s: float | None = None,
        detail: str = "",
    ) -> None:
        super().__init__(code)
        self.code = code
        self.http_status = http_status
        self.retry_after_s = retry_after_s
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Page:
    """What came back for one page."""

    document: Any
    headers: Mapping[str, str]
    count: int  # items on it
    last: Any = MISSING  # its last item


@dataclass(frozen=True, slots=True)
class Next:
    """How to ask for the following page: more parameters, or an address of its own."""

    params: Mapping[str, str] = field(default_factory=dict)
    url: str = ""


@dataclass(frozen=True, slots=True)
class Paging:
    """How an API pages."""

    style: str
    param: str = ""
    first: int = 1
    size_param: str = ""
    size: int = 0
    next: JsonPointer | None = None
    more: JsonPointer | None = None  # true while there is a next one
    place: JsonPointer | None = None  # in an item, what the next page begins behind
    quoted: bool = False  # send the place as JSON
    pages: JsonPointer | None = None
    pages_header: str = ""
    total: JsonPointer | None = None
    total_header: str = ""
    max_pages: int = _MAX_PAGES
    skipped: int = 0  # of an offset: how many items before the first one are not asked for

    @classmethod
    def read(cls, declared: Mapping[str, Any]) -> Paging:
        """From a declaration that fits the schema."""
        values = dict(declared)
        for name in ("next", "more", "place", "pages", "total"):
            if name in values:
                values[name] = JsonPointer(values[name])
        if values["style"] == "offset":
            values.setdefault("first", 0)
        return cls(**values)

    def start(self) -> Next:
        """The first page."""
        params = {self.size_param: str(self.size)} if self.size_param else {}
        if self.style in {"page", "offset"}:
            params[self.param] = str(self.first + self.skipped)
        return Next(params)


class Walk:
    """One way through the pages of one query: where to go next, and whether all was seen at the end."""

    def __init__(self, paging: Paging) -> None:
        self._paging = paging
        self._pages = 0
        self._raw = 0  # items received, repeated ones too: what an offset counts
        self._been: set[str] = set()
        self._total: int | None = None
        self._seen: set[str] = set()
        self._seen_before = 0  # on earlier pages

    def saw(self, result_id: str) -> bool:
        """Note an item; False when it was on an earlier page already."""
        if result_id in self._seen:
            return False
        self._seen.add(result_id)
        return True

    def after(self, page: Page) -> Next | None:
        """The page that follows; None after the last. Raises CutError when there is no telling."""
        self._pages += 1
        self._raw += page.count
        self._note_total(page)
        following = _STYLES[self._paging.style](self, page)
        again = page.count > 0 and len(self._seen) == self._seen_before
        if following is not None and again and self._paging.style != "keyset":  # there its place must move on
            # the same page again: the target does not know this way of paging
            raise CutError("paging-loop")
        self._seen_before = len(self._seen)
        if following is None:
            if self._total is not None and self._known() < self._total:
                raise CutError("total-mismatch", detail=f"{self._known()} of {self._total}")
            return None
        if self._pages >= self._paging.max_pages:
            raise CutError("page-limit")
        key = following.url or str(sorted(following.params.items()))
        if key in self._been:
            raise CutError("paging-loop")
        self._been.add(key)
        return following

    def _known(self) -> int:
        """Items that were seen, and those that nobody asked for."""
        return self._paging.skipped + len(self._seen)

    def _note_total(self, page: Page) -> None:
        total = self._number(page, self._paging.total, self._paging.total_header)
        if total is not None and self._total is not None and total < self._total:
            # something went while we read: what stood behind it has moved to a page that we have left
            raise CutError("total-mismatch", detail=f"{self._total} became {total}")
        self._total = total

    def _number(self, page: Page, pointer: JsonPointer | None, header: str) -> int | None:
        """A declared number; raises CutError when the page does not tell it."""
        if pointer is None and not header:
            return None
        found = at(pointer, page.document) if pointer is not None else page.headers.get(header.lower(), "")
        if isinstance(found, str) and found.isascii() and found.isdecimal() and len(found) < 10:  # noqa: PLR2004
            return int(found)
        if isinstance(found, int) and not isinstance(found, bool) and found >= 0:
            return found
        raise CutError("unreadable-page", detail="no total")

    def by_page(self, page: Page) -> Next | None:
        paging = self._paging
        pages = self._number(page, paging.pages, paging.pages_header)
        if pages is not None:
            more = self._pages < pages
        elif self._total is not None:
            more = page.count > 0 and len(self._seen) < self._total
        else:
            more = page.count > 0  # a short page proves nothing: servers cap the size in silence
        return self._params(paging.first + self._pages) if more else None

    def by_offset(self, page: Page) -> Next | None:
        more = page.count > 0 and (self._total is None or self._known() < self._total)
        return self._params(self._paging.first + self._paging.skipped + self._raw) if more else None

    def by_cursor(self, page: Page) -> Next | None:
        if self._paging.more is not None:
            more = at(self._paging.more, page.document)
            if not isinstance(more, bool):
                raise CutError("unreadable-page", detail="no telling whether there is more")
            if not more:
                return None
        found = at(self._paging.next, page.document)
        if found is MISSING or found in (None, "", False):
            return None
        if isinstance(found, bool) or not isinstance(found, str | int):
            raise CutError("unreadable-page", detail="no cursor")
        return self._params(found)

    def by_next_url(self, page: Page) -> Next | None:
        found = at(self._paging.next, page.document)
        if found is MISSING or found in (None, "", False):
            return None
        if not isinstance(found, str):
            raise CutError("unreadable-page", detail="no address")
        return Next(url=found)

    def by_link(self, page: Page) -> Next | None:
        for url, parameters in _LINK.findall(page.headers.get("link", "")):
            if _REL_NEXT.search(parameters):
                return Next(url=url)
        return None

    def by_place(self, page: Page) -> Next | None:
        if not page.count:
            return None
        place = identifier(at(self._paging.place, page.last))
        if not place:
            raise CutError("unreadable-page", detail="no place")
        return self._params(json.dumps(place) if self._paging.quoted else place)

    def at_once(self, _page: Page) -> Next | None:
        return None

    def _params(self, value: str | int) -> Next:
        return Next({**self._paging.start().params, self._paging.param: str(value)})


_STYLES: dict[str, Callable[[Walk, Page], Next | None]] = {
    "none": Walk.at_once,
    "page": Walk.by_page,
    "offset": Walk.by_offset,
    "cursor": Walk.by_cursor,
    "next_url": Walk.by_next_url,
    "link": Walk.by_link,
    "keyset": Walk.by_place,
}

"""Reads of one look or one inventory, all within one end of time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urljoin

from jsonpointer import JsonPointer

from once_delivery.common.http import HttpClient, HttpError, HttpRequest, HttpResult
from once_delivery.common.http.message import parse_url
from once_delivery.targets.http_json.documents import at
from once_delivery.targets.http_json.paging import PAGE_S, CutError, Next, Page, Paging, Walk
from once_delivery.targets.http_json.reading import document_of, fine


@dataclass(frozen=True, slots=True)
class Reader:
    """Raises CutError for everything that proves nothing."""

    client: HttpClient
    base_url: str
    ends: float  # monotonic
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def within(cls, seconds: float, client: HttpClient, base_url: str, headers: Mapping[str, str]) -> Reader:
        return cls(client, base_url, time.monotonic() + seconds, headers)

    def result(self, path: str, query: Mapping[str, str] | None = None) -> HttpResult:
        """The answer to one GET, whatever its status."""
        return self.result_at(self.base_url + path + (f"?{urlencode(query)}" if query else ""))

    def result_at(self, url: str) -> HttpResult:
        """As :meth:`result`, for a whole address; the caller has checked that it is the target's."""
        left = self.ends - time.monotonic()
        if left <= 0:
            raise CutError("deadline")
        try:
            return self.client.send(HttpRequest("GET", url, min(left, PAGE_S), self.headers))
        except HttpError as error:
            raise CutError(error.code, detail=error.detail) from None

    def document(self, path: str, query: Mapping[str, str] | None = None) -> Any:
        """The JSON of a 2xx."""
        return document_of(fine(self.result(path, query)))

    def items(
        self,
        path: str,
        query: Mapping[str, str],
        *,
        pointer: JsonPointer,
        paging: Paging,
        identify: Callable[[Any], str],
    ) -> Iterator[Any]:
        """Every item of every page, each once; ``identify`` gives an item's ID, or nothing if it has none."""
        walk = Walk(paging)
        following: Next | None = paging.start()
        while following is not None:
            result = fine(self._page(path, query, following))
            document = document_of(result)
            found = at(pointer, document)
            if not isinstance(found, list):
                raise CutError("unreadable-page", http_status=result.status)
            for item in found:
                result_id = identify(item)
                if not result_id:
                    raise CutError("unreadable-item", http_status=result.status)
                if walk.saw(result_id):
                    yield item
            following = walk.after(Page(document, result.headers, len(found)))

    def _page(self, path: str, query: Mapping[str, str], page: Next) -> HttpResult:
        if page.url:
            return self.result_at(own_address(self.base_url, page.url))
        return self.result(path, {**query, **page.params})


def own_address(base_url: str, named: str) -> str:
    """The address of a page that the target named, if it is on the target itself: our credentials go nowhere else.

    Raises CutError.
    """
    url = urljoin(base_url, named)
    try:
        same = parse_url(url)[0] == parse_url(base_url)[0]
    except HttpError:
        same = False
    if not same:
        raise CutError("foreign-next-page")
    return url

"""Reads of one look or one inventory, all within one end of time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from jsonpointer import JsonPointer

from once_delivery.common.http import HttpClient, HttpError, HttpRequest, HttpResult
from once_delivery.targets.http_json.documents import at
from once_delivery.targets.http_json.paging import CutError, Next, Page, Paging, Walk
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
        left = self.ends - time.monotonic()
        if left <= 0:
            raise CutError("deadline")
        url = self.base_url + path + (f"?{urlencode(query)}" if query else "")
        try:
            return self.client.send(HttpRequest("GET", url, left, self.headers))
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
            result = fine(self.result(path, {**query, **following.params}))
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

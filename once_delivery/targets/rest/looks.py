"""Reading at the target: one object, or all that a query shows, and how sure one can be."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import urljoin

from once_delivery.common.http import HttpClient, HttpError, HttpRequest, HttpResult
from once_delivery.common.http.message import parse_url
from once_delivery.targets.base import FoundObject
from once_delivery.targets.http_json.documents import MISSING, at
from once_delivery.targets.http_json.paging import PAGE_S, CutError, Next, Page, Walk
from once_delivery.targets.http_json.reading import document_of, fine
from once_delivery.targets.http_json.template import TemplateError
from once_delivery.targets.http_json.values import identifier
from once_delivery.targets.rest.requests import Requests
from once_delivery.targets.rest.spec import Listing, Read

_NOT_THERE = (404, 410)


class NotThereError(Exception):
    """The target says that there is no such object, in the way that its declaration says it would."""


@dataclass(frozen=True, slots=True)
class Looker:
    """Reads within one end of time; raises CutError for everything that proves nothing."""

    client: HttpClient
    requests: Requests
    ends: float  # monotonic

    @classmethod
    def within(cls, seconds: float, client: HttpClient, requests: Requests) -> Looker:
        return cls(client, requests, time.monotonic() + seconds)

    def one(self, read: Read, values: Mapping[str, Any], *, content: bool = False) -> FoundObject:
        """The object of an ID, with its content if asked; raises CutError or NotThereError."""
        result = self._get(self._request(read, values, Next()))
        if result.status in _NOT_THERE and not result.cut and read.not_found_is_absent:
            document_of(result)  # a proxy's page is not the target's word
            raise NotThereError
        document = document_of(fine(result))
        found = read.answer.find(document, result.headers)
        if found is None:
            raise CutError("no-id", http_status=result.status)
        return replace(found, content=read.answer.content_of(document)) if content else found

    def all(
        self,
        listing: Listing,
        values: Mapping[str, Any],
        *,
        changed_since: datetime | None = None,
        after: str = "",
    ) -> Iterator[FoundObject]:
        """Everything that the query shows, page by page and status by status; raises CutError at the break.

        ``changed_since`` and ``after`` narrow it, where the list declares how.
        """
        seen: set[str] = set()
        listing, values = _narrowed(listing, values, changed_since, after)
        for status in listing.statuses or ("",):
            for found in self._walk(listing, {**values, "status": status}):
                if found.result_id not in seen:
                    seen.add(found.result_id)
                    yield found

    def _walk(self, listing: Listing, values: Mapping[str, Any]) -> Iterator[FoundObject]:
        walk = Walk(listing.paging)
        following: Next | None = listing.paging.start()
        url = ""
        while following is not None:
            if following.url:
                url = self._own(urljoin(url, following.url))
                following = Next(url=url)
            request = self._request(listing, values, following)
            url = request.url
            result = fine(self._get(request))
            document = document_of(result)
            items = at(listing.items, document)
            if not isinstance(items, list):
                raise CutError("unreadable-page", http_status=result.status)
            for item in items:
                found = listing.answer.find(item)
                if found is None:
                    raise CutError("unreadable-item", http_status=result.status)
                if walk.saw(found.result_id) and _matches(listing, item, values):
                    place = at(listing.after.place, item) if listing.after else MISSING
                    yield replace(found, place=identifier(place))
            following = walk.after(Page(document, result.headers, len(items)))

    def _own(self, url: str) -> str:
        """``url`` if it is on the target itself: our credentials go nowhere else."""
        try:
            same = parse_url(url)[0] == parse_url(self.requests.base_url)[0]
        except HttpError:
            same = False
        if not same:
            raise CutError("foreign-next-page")
        return url

    def _request(self, spec: Read | Listing, values: Mapping[str, Any], page: Next) -> HttpRequest:
        left = min(self.ends - time.monotonic(), PAGE_S)
        if left <= 0:
            raise CutError("deadline")
        try:
            if page.url:
                return self.requests.read_at(page.url, spec.address, values, deadline_s=left)
            return self.requests.read(spec.address, values, deadline_s=left, params=page.params)
        except TemplateError as error:
            raise CutError(error.code, detail=error.name) from None

    def _get(self, request: HttpRequest) -> HttpResult:
        try:
            return self.client.send(request)
        except HttpError as error:
            raise CutError(error.code, detail=error.detail) from None


def _narrowed(
    listing: Listing, values: Mapping[str, Any], changed_since: datetime | None, after: str
) -> tuple[Listing, Mapping[str, Any]]:
    query, more = dict(listing.address.query), {}
    if changed_since is not None and listing.since is not None:
        query |= listing.since.query
        more["changed_since"] = listing.since.format.text(changed_since)
    if after and listing.after is not None:
        query |= listing.after.query
        more["after"] = after
    return replace(listing, address=replace(listing.address, query=query)), {**values, **more}


def _matches(listing: Listing, item: Any, values: Mapping[str, Any]) -> bool:
    """Whether the declared fields of an item are what was to be made; case and spaces at the ends left aside."""
    for pointer, template in listing.match:
        try:
            wanted = template.text(values)
        except TemplateError as error:
            raise CutError(error.code, detail=error.name) from None
        found = at(pointer, item)
        if wanted is None or found is MISSING or _plain(wanted) != _plain(str(found)):
            return False
    return True


def _plain(text: str) -> str:
    return text.strip().casefold()

"""Reading at the target: one object, or all that a query shows, and how sure one can be."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import urljoin

from once_delivery.common.http import HttpClient, HttpError, HttpRequest, HttpResult
from once_delivery.targets.base import FoundObject
from once_delivery.targets.http_json.documents import MISSING, at
from once_delivery.targets.http_json.paging import PAGE_S, CutError, Next, Page, Walk
from once_delivery.targets.http_json.reader import own_address
from once_delivery.targets.http_json.reading import document_of, fine, retry_after
from once_delivery.targets.http_json.template import TemplateError, Text
from once_delivery.targets.http_json.values import identifier
from once_delivery.targets.rest.requests import Requests
from once_delivery.targets.rest.rules import Rule
from once_delivery.targets.rest.spec import Listing, Query, Read

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
        result = self._get(self._request(read.query, values, Next()))
        if result.status in _NOT_THERE and not result.cut and read.not_found_is_absent:
            document_of(result)  # a proxy's page is not the target's word
            raise NotThereError
        document = self._document(result, read.absent)
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
        narrowed = _narrowed(listing, changed_since, after)
        for status in listing.statuses or ("",):
            for found in self._walk(listing, {**values, "status": status}, narrowed):
                if found.result_id not in seen:
                    seen.add(found.result_id)
                    yield found

    def _walk(
        self, listing: Listing, values: Mapping[str, Any], narrowed: Mapping[str, str]
    ) -> Iterator[FoundObject]:
        walk = Walk(listing.paging)
        following: Next | None = listing.paging.start()
        url = ""
        while following is not None:
            if following.url:
                url = own_address(self.requests.base_url, urljoin(url, following.url))
                following = Next(url=url)
            if not following.url:
                following = Next({**narrowed, **following.params})
            request = self._request(listing.query, values, following)
            url = request.url
            result = self._get(request)
            document = self._document(result)
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
            last = items[-1] if items else MISSING
            following = walk.after(Page(document, result.headers, len(items), last))

    def _document(self, result: HttpResult, absent: tuple[Rule, ...] = ()) -> Any:
        """What a read answered; raises CutError, or NotThereError for a form of "there is none"."""
        if not result.cut:
            declared = self.requests.declaration.read_errors
            document = _readable(result) if absent or declared else MISSING
            for rule in declared:
                if rule.fits(result.status, document, result.body):
                    raise CutError(rule.code, http_status=result.status, retry_after_s=retry_after(result))
            if any(rule.fits(result.status, document, result.body) for rule in absent):
                raise NotThereError
        return document_of(fine(result))

    def _request(self, query: Query, values: Mapping[str, Any], page: Next) -> HttpRequest:
        left = min(self.ends - time.monotonic(), PAGE_S)
        if left <= 0:
            raise CutError("deadline")
        try:
            if page.url:
                return self.requests.read_at(page.url, query.address, values, deadline_s=left)
            return self.requests.read(query, values, deadline_s=left, params=page.params)
        except TemplateError as error:
            raise CutError(error.code, detail=error.name) from None

    def _get(self, request: HttpRequest) -> HttpResult:
        try:
            return self.client.send(request)
        except HttpError as error:
            raise CutError(error.code, detail=error.detail) from None


def _readable(result: HttpResult) -> Any:
    """The document, or MISSING when there is none: a rule may look at the text alone."""
    try:
        return document_of(result)
    except CutError:
        return MISSING


def _narrowed(listing: Listing, changed_since: datetime | None, after: str) -> dict[str, str]:
    """More parameters for a list that is not wanted whole."""
    parameters: dict[str, Text] = {}
    values: dict[str, str] = {"after": after}
    if changed_since is not None and listing.since is not None:
        parameters |= listing.since.parameters
        values["changed_since"] = listing.since.format.text(changed_since)
    if after and listing.after is not None:
        parameters |= listing.after.parameters
    texts = ((name, template.text(values)) for name, template in parameters.items())
    return {name: text for name, text in texts if text is not None}


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

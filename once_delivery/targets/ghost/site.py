"""Reads of one look, one inventory or one connection test at one site."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from once_delivery.common.http import HttpClient, HttpResult
from once_delivery.common.moments import mail_time_of, meant
from once_delivery.targets.base import FoundObject
from once_delivery.targets.ghost.filters import behind, in_every_status
from once_delivery.targets.ghost.objects import API, ASKED, found_object
from once_delivery.targets.ghost.parameters import Parameters
from once_delivery.targets.ghost.token import AdminKey
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.reader import Reader
from once_delivery.targets.http_json.reading import document_of, fine
from once_delivery.targets.http_json.values import identifier

PAGE = 50  # with their content, so that a version can be told; Ghost gives 100 at most, whatever is asked for
_NOT_FOUND = 404
_NO_USER = "User not found."


@dataclass(slots=True)
class Site:
    """What the site shows to one key; every method raises CutError for what proves nothing."""

    parameters: Parameters
    base_url: str
    client: HttpClient
    key: AdminKey
    ends: float  # monotonic
    said_at: datetime | None = None  # the moment of the last answer, by the site's clock

    @property
    def left_s(self) -> float:
        """Seconds that are left."""
        return self.ends - time.monotonic()

    def result(self, path: str, query: Mapping[str, str] | None = None) -> HttpResult:
        """The answer to one GET, whatever its status; with a token of its own, for a long inventory outlives one."""
        reader = Reader(self.client, self.base_url + API, self.ends, self.key.headers())
        result = reader.result(path, query)
        self.said_at = said_at(result)
        return result

    def document(self, path: str, query: Mapping[str, str] | None = None) -> Mapping[str, Any]:
        """The JSON object of a 2xx."""
        return _mapping(document_of(fine(self.result(path, query))))

    def account(self) -> Mapping[str, Any]:
        """The person whose key this is; empty for an integration, which is nobody."""
        result = self.result("/users/me/", {"include": "roles"})
        if result.status == _NOT_FOUND and error_of(result).get("context") == _NO_USER:
            # so is a key without a person answered; that it is one, and works, a list shows
            self.document("/posts/", {"limit": "1", "fields": "id"})
            return {}
        users = _mapping(document_of(fine(result))).get("users")
        if not isinstance(users, list) or not users or not identifier(_mapping(users[0]).get("id")):
            raise CutError("unreadable-item", detail="users/me")
        return _mapping(users[0])

    def posts(self, condition: str = "", *, after: str = "") -> Iterator[Mapping[str, Any]]:
        """Every post of a question in every status, by ascending ID: what is added or deleted meanwhile moves no page."""
        while True:
            items, total = self._page(in_every_status(condition, behind(after)))
            for item in items:
                result_id = identifier(item.get("id"))
                if not result_id:
                    raise CutError("unreadable-item")
                if result_id <= after:
                    raise CutError("paging-loop")
                after = result_id
                yield item
            if len(items) >= total:
                return
            if not items:
                raise CutError("total-mismatch", detail=f"0 of {total}")

    def _page(self, asked: str) -> tuple[list[Mapping[str, Any]], int]:
        """The first posts of a question, and how many it has."""
        query = {
            "filter": asked,
            "fields": ",".join(ASKED),
            "formats": "html,lexical",
            "order": "id asc",
            "limit": str(PAGE),
        }
        document = self.document("/posts/", query)
        meta = document.get("meta")
        pagination = meta.get("pagination") if isinstance(meta, Mapping) else None
        total = pagination.get("total") if isinstance(pagination, Mapping) else None
        items = document.get("posts")
        if not isinstance(items, list) or not isinstance(total, int) or isinstance(total, bool):
            raise CutError("unreadable-page")
        return [_mapping(item) for item in items], total

    def found(self, post: Mapping[str, Any]) -> FoundObject:
        """One post of any of these answers."""
        return found_object(post, self.base_url)


def said_at(result: HttpResult) -> datetime | None:
    """When the site answered, by its own clock; None when it does not say."""
    return meant(mail_time_of(result.headers.get("date", "")))


def error_of(result: HttpResult) -> Mapping[str, Any]:
    """Ghost's own words for a refusal: ``message``, ``context``, ``code``, ``type``; nothing where there are none."""
    try:
        errors = _mapping(document_of(result)).get("errors")
    except CutError:
        return {}
    return errors[0] if isinstance(errors, list) and errors and isinstance(errors[0], Mapping) else {}


def _mapping(document: Any) -> Mapping[str, Any]:
    if not isinstance(document, Mapping):
        raise CutError("unreadable-page")
    return document

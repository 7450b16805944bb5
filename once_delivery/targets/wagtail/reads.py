"""Reads of one Wagtail site: lists to their end, single pages and images, and what the account can see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from jsonpointer import JsonPointer

from once_delivery.targets.http_json.paging import CutError, Paging
from once_delivery.targets.http_json.reader import Reader
from once_delivery.targets.http_json.reading import document_of, fine
from once_delivery.targets.http_json.values import identifier, plain_text
from once_delivery.targets.wagtail.parameters import Parameters

_ITEMS = JsonPointer("/items")
_PAGE = 20  # what every site allows (WAGTAILAPI_LIMIT_MAX)
_PAGING = Paging(
    style="offset", param="offset", first=0, size_param="limit", size=_PAGE, total=JsonPointer("/count"),
    max_pages=100_000,
)  # fmt: skip
_NOT_THERE = 404
_ALL: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Looker:
    """Reads of one look or one inventory at one site."""

    parameters: Parameters
    base_url: str
    reader: Reader

    def pages(self, filters: Mapping[str, str] = _ALL, *, skipped: int = 0) -> Iterator[Mapping[str, Any]]:
        """Pages of the declared type as the list shows them, by ascending ID; raises CutError."""
        return self._items("/pages/", {"type": self.parameters.page_type, **filters}, skipped)

    def images(self, filters: Mapping[str, str] = _ALL, *, skipped: int = 0) -> Iterator[Mapping[str, Any]]:
        """Images as the list shows them, by ascending ID; raises CutError."""
        return self._items("/images/", filters, skipped)

    def page(self, result_id: str) -> Mapping[str, Any] | None:
        """The page's latest version, None when there is none that this account may see; raises CutError."""
        return self._one(f"/pages/{_number(result_id)}/", {"version": "draft"})

    def image(self, result_id: str) -> Mapping[str, Any] | None:
        """One image, None when there is none; raises CutError."""
        return self._one(f"/images/{_number(result_id)}/", {})

    def saved_at(self, result_id: str) -> str:
        """When the page's latest revision was saved, nothing when it has none; raises CutError."""
        path = f"{self.parameters.api_path}/pages/{_number(result_id)}/revisions/"
        newest = _mapping(self.reader.document(path, {"limit": "1"})).get("items")
        if not isinstance(newest, list):
            raise CutError("unreadable-page", detail="revisions")
        saved = plain_text(_mapping(newest[0]).get("created_at")) if newest else ""
        if newest and not saved:
            raise CutError("unreadable-item", detail="revisions")
        return saved

    def prove_sight(self) -> None:
        """The account is known, and sees whatever is below the declared parents; raises CutError."""
        self.prove_account()
        for parent in self.parameters.parents:
            if self.page(str(parent)) is None:
                raise CutError("section-not-visible", detail=str(parent))
        self.prove_account()

    def prove_account(self) -> None:
        """The token is still valid: lists answer others as visitors; raises CutError."""
        _mapping(self.reader.document(f"{self.parameters.api_path}/whoami/"))

    def _one(self, path: str, query: Mapping[str, str]) -> Mapping[str, Any] | None:
        result = self.reader.result(self.parameters.api_path + path, query)
        if result.status == _NOT_THERE and not result.cut:
            document_of(result)  # a proxy's page is not the site's word
            return None
        return _mapping(document_of(fine(result)))

    def _items(self, path: str, query: Mapping[str, str], skipped: int) -> Iterator[Mapping[str, Any]]:
        items = self.reader.items(
            self.parameters.api_path + path,
            query,
            pointer=_ITEMS,
            paging=replace(_PAGING, skipped=skipped),
            identify=_id_of,
        )
        return (_mapping(item) for item in items)


def _id_of(item: Any) -> str:
    return identifier(item.get("id")) if isinstance(item, Mapping) else ""


def _mapping(document: Any) -> Mapping[str, Any]:
    if not isinstance(document, Mapping):
        raise CutError("unreadable-page")
    return document


def _number(result_id: str) -> str:
    """Wagtail's IDs are numbers; anything else must not become part of an address."""
    if not (result_id.isascii() and result_id.isdecimal()):
        raise CutError("bad-id", detail=result_id[:40])
    return result_id

"""Reads of one look or one inventory at one site.

Every list is read by ascending key and goes on behind the last one, never by counting: what is published, discarded or
deleted meanwhile shifts no other object out of sight.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import merge
from itertools import groupby
from operator import attrgetter
from typing import Any

from once_delivery.targets.base import FoundObject
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.reader import Reader
from once_delivery.targets.http_json.reading import document_of, fine
from once_delivery.targets.http_json.values import identifier
from once_delivery.targets.strapi.objects import Document, Row, found_document, found_file
from once_delivery.targets.strapi.parameters import Parameters

PAGE = 100  # what a site allows unless it says otherwise; less is answered in silence, and goes well
_DOCUMENT = attrgetter("document_id")
_NOT_THERE = 404


@dataclass(frozen=True, slots=True)
class Looker:
    """Raises CutError for everything that proves nothing."""

    parameters: Parameters
    base_url: str
    reader: Reader

    def documents(self, after: str = "", **filters: str) -> Iterator[Document]:
        """Every document, by ascending ID: drafts and what readers see, in every language.

        ``filters``: a field and the value that it must have.
        """
        streams = (self._rows(status, after, filters) for status in ("draft", "published"))
        for _, rows in groupby(merge(*streams, key=_DOCUMENT), key=_DOCUMENT):
            yield Document(tuple(rows))

    def marked(self, marker: str) -> list[Document]:
        """Those that carry ``marker``."""
        field = self.parameters.marker_field
        found = list(self.documents(**{field: marker}))
        if any(row.values[field] != marker for document in found for row in document.rows):
            raise CutError("filter-ignored")
        return found

    def document(self, result_id: str) -> Document | None:
        """The document of this ID in all its languages."""
        found = list(self.documents(documentId=result_id))
        if any(document.result_id != result_id for document in found):
            raise CutError("filter-ignored")
        return found[0] if found else None

    def files(self, after: int = 0, **filters: str) -> Iterator[Mapping[str, Any]]:
        """Files of the media library by ascending number; ``filters`` as Strapi writes them (``hash__startsWith``)."""
        asked = {f"filters[{name}][${how}]": value for name, how, value in _parted(filters)}
        while True:
            query = {
                **asked,
                "filters[id][$gt]": str(after),
                "sort": "id:asc",
                "limit": str(PAGE),
                "start": "0",
            }
            page = self.reader.document(f"{self.parameters.api_path}/upload/files", query)
            if not isinstance(page, list):
                raise CutError("unreadable-page", detail="upload/files")
            for item in page:
                number = item.get("id") if isinstance(item, Mapping) else None
                if not isinstance(number, int) or not isinstance(item.get("hash"), str):
                    raise CutError("unreadable-item", detail="upload/files")
                if number <= after:
                    raise CutError("paging-loop")
                after = number
                yield item
            if not page:  # a short page proves nothing: a site may allow fewer
                return

    def file(self, result_id: str) -> FoundObject | None:
        """The file of this number."""
        if not (result_id.isascii() and result_id.isdecimal()):
            raise CutError("bad-id", detail=result_id[:40])
        result = self.reader.result(f"{self.parameters.api_path}/upload/files/{result_id}")
        if result.status == _NOT_THERE and not result.cut:
            # a list tells whether the account may look; a proxy's page is not the site's word
            document_of(result)
            next(self.files(), None)
            return None
        item = document_of(fine(result))
        if not isinstance(item, Mapping) or identifier(item.get("id")) != result_id:
            raise CutError("unreadable-item", detail="upload/files")
        return self.found_file(item)

    def found(self, document: Document, marker: str = "") -> FoundObject:
        return found_document(self.parameters, document, self.base_url, marker)

    def found_file(self, file: Mapping[str, Any]) -> FoundObject:
        return found_file(file, self.base_url)

    def _rows(self, status: str, after: str, filters: Mapping[str, str]) -> Iterator[Row]:
        """All rows of one status by ascending document; the rows of one document always come together."""
        asked = {f"filters[{name}][$eq]": value for name, value in filters.items()}
        more = True
        while more:
            page, total, limit = self._page({**asked, "status": status, "filters[documentId][$gt]": after})
            rows = [self._row(item, status) for item in page]
            more = len(rows) < total
            if more and len(rows) >= limit:
                # the last document may go on on the next page, which then begins with it
                rows = [row for row in rows if row.document_id != rows[-1].document_id]
                if not rows:
                    raise CutError("page-limit", detail=f"{limit} of {total}")
            elif more and not rows:
                raise CutError("changing")  # counted after the page was read
            for row in rows:
                if row.document_id < after:
                    raise CutError("unsorted", detail=row.document_id)
                after = row.document_id
                yield row

    def _page(self, query: Mapping[str, str]) -> tuple[list[Any], int, int]:
        """What is on it, how much there is behind ``after``, and how much the site gives at once."""
        asked = {
            **query, "locale": "*", "sort[0]": "documentId:asc", "sort[1]": "id:asc",
            "pagination[start]": "0", "pagination[limit]": str(PAGE), "pagination[withCount]": "true",
        }  # fmt: skip
        path = f"{self.parameters.api_path}/{self.parameters.content_type}"
        document = self.reader.document(path, asked)
        items = document.get("data") if isinstance(document, Mapping) else None
        if not isinstance(items, list):
            raise CutError("unreadable-page")
        meta = document.get("meta")
        return items, _number(meta, "total"), _number(meta, "limit")

    def _row(self, item: Any, status: str) -> Row:
        if not isinstance(item, Mapping):
            raise CutError("unreadable-item")
        if "attributes" in item:
            raise CutError("strapi-4")
        row = Row(item, public=status != "draft")
        if not row.document_id:
            raise CutError("unreadable-item", detail="documentId")
        if self.parameters.marker_field not in item:
            raise CutError("marker-unreadable", detail=self.parameters.marker_field)
        if row.public != (item.get("publishedAt") is not None):
            # a type without drafts shows the same rows whatever is asked
            raise CutError("no-drafts" if not row.public else "status-ignored")
        return row


def _parted(filters: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for name, value in filters.items():
        field, _, how = name.partition("__")
        yield field, how or "eq", value


def _number(meta: Any, name: str) -> int:
    pagination = meta.get("pagination") if isinstance(meta, Mapping) else None
    found = pagination.get(name) if isinstance(pagination, Mapping) else None
    if isinstance(found, bool) or not isinstance(found, int) or found < 0:
        raise CutError("unreadable-page", detail=f"no {name}")
    return found

"""Reads of one look, one inventory or one connection test, of one kind of object.

Each question is one that was never asked before: Directus may answer a known one from a cache that no write clears
(``CACHE_AUTO_PURGE=false``), the question for our rights too.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jsonpointer import JsonPointer

from once_delivery.targets.base import FoundObject, Kind
from once_delivery.targets.directus.objects import FILE_CREATED, FILE_UPDATED, found_file, found_item
from once_delivery.targets.directus.parameters import ID, Parameters
from once_delivery.targets.http_json.paging import CutError, Paging
from once_delivery.targets.http_json.reader import Reader
from once_delivery.targets.http_json.values import identifier

FILES = "directus_files"
PAGE = 100
_DATA = JsonPointer("/data")
_PAGING = Paging(
    style="offset", param="offset", first=0, size_param="limit", size=PAGE,
    total=JsonPointer("/meta/filter_count"), max_pages=100_000,
)  # fmt: skip
Condition = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Site:
    """Every method raises CutError for what proves nothing."""

    parameters: Parameters
    base_url: str
    reader: Reader
    kind: Kind  # CREATE_DRAFT or UPLOAD_FILE

    @property
    def is_files(self) -> bool:
        """Files, and not items of the declared collection."""
        return self.kind == Kind.UPLOAD_FILE

    @property
    def collection(self) -> str:
        """As rights are given for it."""
        return FILES if self.is_files else self.parameters.collection

    @property
    def path(self) -> str:
        """Where it is written and listed."""
        return "/files" if self.is_files else f"/items/{self.parameters.collection}"

    @property
    def marker_field(self) -> str:
        """The field that carries the marker."""
        return (self.parameters.file_marker_field or "") if self.is_files else self.parameters.marker_field

    @property
    def created_field(self) -> str:
        """The field with the date of creation, which never changes."""
        return FILE_CREATED if self.is_files else self.parameters.created_field

    @property
    def updated_field(self) -> str:
        """The field with the date of the last change; empty until the first one."""
        return FILE_UPDATED if self.is_files else self.parameters.updated_field

    @property
    def takes_our_ids(self) -> bool:
        """Files always do."""
        return self.is_files or self.parameters.client_id

    def found(self, item: Mapping[str, Any]) -> FoundObject:
        """One object of any answer."""
        make = found_file if self.is_files else found_item
        return make(self.parameters, item, self.base_url)

    def matching(self, *conditions: Condition) -> Iterator[FoundObject]:
        """Every object that fits, with its content."""
        query = {**self._query(conditions), "fields": ",".join(self._fields), "meta": "filter_count"}
        items = self.reader.items(self.path, query, pointer=_DATA, paging=_PAGING, identify=id_of)
        return (self.found(item) for item in items)

    def page(self, *conditions: Condition, offset: int) -> list[Mapping[str, Any]]:
        """Some objects without their content, the oldest first."""
        query = {
            **self._query(conditions), "fields": ",".join(self._list_fields), "limit": str(PAGE),
            "offset": str(offset), "sort": f"{self.created_field},{ID}",
        }  # fmt: skip
        document = self.reader.document(self.path, query)
        items = document.get("data") if isinstance(document, Mapping) else None
        if not isinstance(items, list):
            raise CutError("unreadable-page")
        if not all(id_of(item) for item in items):
            raise CutError("unreadable-item")
        return items

    def prove_sight(self) -> None:
        """The account may read every object and every field that a look needs: else what is missing may be hidden."""
        rights = self.rights("read")
        if rights.get("access") == "partial":
            raise CutError("sees-only-part", detail=self.collection)
        if rights.get("access") != "full":
            raise CutError("forbidden", detail=self.collection)
        self.need(rights, self._fields)

    def rights(self, action: str) -> Mapping[str, Any]:
        """What the account may do here, by Directus's own word."""
        data = self.asked("/permissions/me")
        # an account without any right is answered with an empty list
        mine = data.get(self.collection) if isinstance(data, Mapping) else None
        given = mine.get(action) if isinstance(mine, Mapping) else None
        return given if isinstance(given, Mapping) else {}

    def need(self, rights: Mapping[str, Any], fields: Sequence[str], code: str = "forbidden") -> None:
        """Raises CutError for fields that these rights leave out."""
        given = rights.get("fields")
        known = given if isinstance(given, list) else []
        missing = [] if "*" in known else sorted(set(fields) - set(known))
        if missing:
            raise CutError(code, detail=", ".join(missing))

    def asked(self, path: str, *conditions: Condition, new_by: str = ID) -> Any:
        """The data of an answer from elsewhere; ``new_by`` is a field that everything there has."""
        return mapping(self.reader.document(path, _query([*conditions, _never_asked(new_by)]))).get("data")

    def _query(self, conditions: Sequence[Condition]) -> dict[str, str]:
        # a condition "other than" leaves out what has no value
        either = [_never_asked(self.marker_field), {self.marker_field: {"_null": True}}]
        return _query([*conditions, {"_or": either}])

    @property
    def _list_fields(self) -> list[str]:
        own = [ID, self.marker_field, self.created_field, self.updated_field]
        if self.is_files:
            return [*own, "title", "filesize"]
        return [*own, self.parameters.status_field, self.parameters.fields["title"]]

    @property
    def _fields(self) -> list[str]:
        content = () if self.is_files else self.parameters.fields.values()
        return list(dict.fromkeys([*self._list_fields, *content]))


def _query(conditions: Sequence[Condition]) -> dict[str, str]:
    return {"filter": json.dumps({"_and": conditions}, separators=(",", ":"))}


def _never_asked(field: str) -> Condition:
    return {field: {"_neq": str(uuid.uuid4())}}


def id_of(item: Any) -> str:
    """The ID of an object as it stands in an answer, or nothing."""
    return identifier(item.get(ID)) if isinstance(item, Mapping) else ""


def mapping(document: Any) -> Mapping[str, Any]:
    """A JSON object; raises CutError."""
    if not isinstance(document, Mapping):
        raise CutError("unreadable-page")
    return document

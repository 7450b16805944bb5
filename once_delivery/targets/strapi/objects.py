"""From Strapi's JSON to a FoundObject.

Strapi keeps a row for each language of a document, and beside the draft's row one that readers see once it is published.
**One object is one document**: its rows in other languages and its published row are no second draft.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from once_delivery.targets.base import FoundObject
from once_delivery.targets.http_json.values import identifier, marker_text, moment, plain_text
from once_delivery.targets.strapi.parameters import Parameters

PUBLIC = ("published", "modified")  # readers see it; "modified": its draft says something else already
# Strapi's hash of a file: the name that it was uploaded with, "_" for "-", and a random end
_HASH = re.compile(r"once_([a-z2-7]{26})_.*")


@dataclass(frozen=True, slots=True)
class Row:
    """One language of a document, as a draft or as readers see it."""

    values: Mapping[str, Any]
    public: bool

    @property
    def document_id(self) -> str:
        return identifier(self.values.get("documentId"))

    @property
    def locale(self) -> str:
        """ "" for a type without languages."""
        return plain_text(self.values.get("locale"))

    def age(self) -> tuple[bool, str, int]:
        """Drafts first, then by age. Rows are made anew by some deeds of editors; ``createdAt`` stays."""
        number = self.values.get("id")
        made = str(self.values.get("createdAt") or "")
        return self.public, made, number if isinstance(number, int) else 0


@dataclass(frozen=True, slots=True)
class Document:
    """All rows that were found of one document, at least one."""

    rows: tuple[Row, ...]

    @property
    def result_id(self) -> str:
        return self.rows[0].document_id

    def markers(self, field: str) -> list[str]:
        """Ours, each once; an editor's new language takes the marker with it."""
        there = (row.values.get(field) for row in sorted(self.rows, key=Row.age))
        return list(dict.fromkeys(one for one in there if isinstance(one, str) and one.startswith("once-")))

    def row(self, field: str, marker: str = "") -> Row:
        """The row that the marker was given to first: the oldest draft that has it."""
        marked = [row for row in self.rows if not marker or row.values.get(field) == marker]
        return min(marked or self.rows, key=Row.age)


def found_document(
    parameters: Parameters, document: Document, base_url: str, marker: str = ""
) -> FoundObject:
    """The document as the object that carries ``marker``; without one, as its oldest draft."""
    row = document.row(parameters.marker_field, marker)
    values = row.values
    return FoundObject(
        result_id=document.result_id,
        # shown, and empty: not ours
        marker=marker_text(values.get(parameters.marker_field) or ""),
        url=_url(parameters, row, base_url),
        status=_status(document, row),
        title=plain_text(values.get(parameters.fields["title"])),
        created_at=moment(values.get("createdAt")),
        updated_at=moment(values.get("updatedAt")),
        content_hash=_content_hash(values, parameters.fields.values()),
        version=plain_text(values.get("updatedAt")),
        content={
            ours: str(values[theirs])
            for ours, theirs in parameters.fields.items()
            if _is_text(values, theirs)
        },
        place=document.result_id,
    )


def found_file(file: Mapping[str, Any], base_url: str) -> FoundObject:
    """A file of the media library."""
    url = file.get("url")
    result_id = identifier(file.get("id"))
    match = _HASH.fullmatch(str(file.get("hash")))
    shown = {"alt": "alternativeText", "caption": "caption"}
    return FoundObject(
        result_id=result_id,
        marker=f"once-{match.group(1)}" if match else "",
        url=f"{base_url}{url}" if isinstance(url, str) and url.startswith("/") else plain_text(url),
        status="stored",
        title=plain_text(file.get("name")),
        created_at=moment(file.get("createdAt")),
        updated_at=moment(file.get("updatedAt")),
        version=plain_text(file.get("updatedAt")),
        content={ours: str(file[theirs]) for ours, theirs in shown.items() if _is_text(file, theirs)},
        place=result_id,
    )


def _status(document: Document, row: Row) -> str:
    twins = [one for one in document.rows if one.public and one.locale == row.locale]
    if row.public:
        return "published"
    if not twins:
        return "draft"
    same = twins[0].values.get("updatedAt") == row.values.get("updatedAt")
    return "published" if same else "modified"


def _url(parameters: Parameters, row: Row, base_url: str) -> str:
    """Where an editor opens it: a draft has no public address."""
    if not parameters.uid:
        return ""
    place = f"{parameters.admin_path}/content-manager/collection-types/{parameters.uid}/{row.document_id}"
    return base_url + place + (f"?plugins[i18n][locale]={row.locale}" if row.locale else "")


def _is_text(values: Mapping[str, Any], name: str) -> bool:
    return isinstance(values.get(name), str)


def _content_hash(values: Mapping[str, Any], names: Any) -> str:
    shown = {name: values[name] for name in names if name in values}
    return hashlib.sha256(json.dumps(shown, ensure_ascii=False, sort_keys=True).encode()).hexdigest()

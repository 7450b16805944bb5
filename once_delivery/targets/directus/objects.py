"""From Directus's JSON to a FoundObject."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from once_delivery.targets.base import FoundObject
from once_delivery.targets.directus.parameters import ID, Parameters
from once_delivery.targets.directus.payload import version_of
from once_delivery.targets.http_json.values import identifier, marker_text, moment, plain_text

FILE_CREATED, FILE_UPDATED = "created_on", "modified_on"
STORED, INCOMPLETE = "stored", "incomplete"


def found_item(parameters: Parameters, item: Mapping[str, Any], base_url: str) -> FoundObject:
    """An item of the collection, of an answer to a write or to a read."""
    result_id = identifier(item.get(ID))
    status = plain_text(item.get(parameters.status_field))
    created, updated = item.get(parameters.created_field), item.get(parameters.updated_field)
    content = {
        ours: item[theirs] for ours, theirs in parameters.fields.items() if isinstance(item.get(theirs), str)
    }
    return FoundObject(
        result_id=result_id,
        marker=marker_text(item.get(parameters.marker_field)),
        # a draft has no public address
        url=f"{base_url}{parameters.admin_path}/content/{parameters.collection}/{result_id}",
        status=status,
        title=plain_text(item.get(parameters.fields["title"])),
        created_at=moment(created),
        updated_at=moment(updated) or moment(created),
        content_hash=_content_hash(item, parameters.fields),
        trashed=parameters.archived_value is not None and status == parameters.archived_value,
        version=version_of(created, updated),
        content=content,
        place=place_of(created, result_id),
    )


def found_file(parameters: Parameters, file: Mapping[str, Any], base_url: str) -> FoundObject:
    """A file. Its row is there before its bytes are, and stays when they never come (README.md of this folder)."""
    result_id = identifier(file.get(ID))
    created, updated = file.get(FILE_CREATED), file.get(FILE_UPDATED)
    return FoundObject(
        result_id=result_id,
        marker=marker_text(file.get(parameters.file_marker_field or "")),
        url=f"{base_url}/assets/{result_id}",
        status=INCOMPLETE if file.get("filesize") is None else STORED,
        title=plain_text(file.get("title")),
        created_at=moment(created),
        updated_at=moment(updated) or moment(created),
        version=version_of(created, updated),
        place=place_of(created, result_id),
    )


def place_of(created: Any, result_id: str) -> str:
    """Where an inventory can go on: by date of creation, and by ID among those of one moment."""
    return f"{created} {result_id}" if isinstance(created, str) and created else ""


def _content_hash(item: Mapping[str, Any], fields: Mapping[str, str]) -> str:
    """Of what is stored under our names; nothing where the answer is a list's that leaves content out."""
    if not all(theirs in item for theirs in fields.values()):
        return ""
    shown = {ours: item[theirs] for ours, theirs in fields.items()}
    return hashlib.sha256(json.dumps(shown, ensure_ascii=False, sort_keys=True).encode()).hexdigest()

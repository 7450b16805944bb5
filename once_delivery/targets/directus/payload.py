"""From an action's content to the body of a request; the same action always gives the same bytes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from urllib3.filepost import encode_multipart_formdata

from once_delivery.targets.base import EffectRequest
from once_delivery.targets.content import PayloadError, file_of, json_bytes, title_of
from once_delivery.targets.directus.parameters import ID, Parameters

_TITLE_LONGEST = 255
_CREATED, _UPDATED = "created ", "updated "
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def draft_body(parameters: Parameters, request: EffectRequest) -> bytes:
    """An item in the status of drafts: nothing in the payload can set status, marker or ID."""
    item = _content(parameters, request.payload)
    if parameters.client_id:
        item[ID] = client_id_of(request)
    return json_bytes({**item, parameters.marker_field: request.marker})


def client_id_of(request: EffectRequest) -> str:
    """The object's ID as we choose it. In lower case: SQLite takes upper case for another one."""
    lower = request.client_id.lower()
    if not _UUID.fullmatch(lower):
        raise PayloadError("client-id-missing", lower[:40])
    return lower


def update_body(parameters: Parameters, request: EffectRequest) -> bytes:
    """New content for the one item in the one state that the update is for, and only while it is a draft of ours.

    Directus selects by the query and writes then: two steps, a few milliseconds apart. The status is written too, so
    that our text is a draft's even if somebody publishes between them.
    """
    original = request.original
    if original is None:
        raise PayloadError("original-missing", ID)
    same = [
        {ID: {"_eq": original.result_id}},
        {parameters.marker_field: {"_eq": original.marker}},
        {parameters.status_field: {"_eq": parameters.draft_value}},
        *_in_state(parameters, original.version),
    ]
    query = {"filter": {"_and": same}, "limit": 1}
    return json_bytes({"query": query, "data": _content(parameters, request.payload)})


def version_of(created: Any, updated: Any) -> str:
    """The state of an item. What was never changed has no date of change: its date of creation stands for it."""
    if isinstance(updated, str) and updated:
        return _UPDATED + updated
    return _CREATED + created if isinstance(created, str) and created else ""


def _in_state(parameters: Parameters, version: str) -> list[dict[str, Any]]:
    if version.startswith(_UPDATED):
        return [{parameters.updated_field: {"_eq": version.removeprefix(_UPDATED)}}]
    if version.startswith(_CREATED):
        return [
            {parameters.updated_field: {"_null": True}},
            {parameters.created_field: {"_eq": version.removeprefix(_CREATED)}},
        ]
    raise PayloadError("version-unknown", version[:100])


def file_body(parameters: Parameters, request: EffectRequest) -> tuple[bytes, str]:
    """The multipart body of an upload, and its content type. Directus reads the fields that stand before the file."""
    file = file_of(request)
    if parameters.file_marker_field is None:
        raise PayloadError("kind-not-declared", "file_marker_field")
    fields = {name: str(value) for name, value in _mapped(request.payload, parameters.file_fields).items()}
    title = fields.get("title") or str(request.payload.get("title") or file.name)
    fields |= {
        "title": title[:_TITLE_LONGEST],
        ID: client_id_of(request),
        parameters.file_marker_field: request.marker,
    }
    if parameters.folder:
        fields["folder"] = parameters.folder
    parts: list[tuple[str, str | tuple[str, bytes, str]]] = [*sorted(fields.items())]
    parts.append(("file", (file.name, file.data, file.media_type or "application/octet-stream")))
    mark = hashlib.sha256(f"{request.marker} {file.sha256}".encode()).hexdigest()[:40]
    return encode_multipart_formdata(parts, boundary=f"once-{mark}")


def _content(parameters: Parameters, payload: Mapping[str, Any]) -> dict[str, Any]:
    title_of(payload)
    return {**_mapped(payload, parameters.fields), parameters.status_field: parameters.draft_value}


def _mapped(payload: Mapping[str, Any], fields: Mapping[str, str]) -> dict[str, Any]:
    found = {}
    for ours, theirs in fields.items():
        value = payload.get(ours)
        if value is None:
            continue
        if _makes_others(value) or (isinstance(value, str) and "\0" in value):
            raise PayloadError("payload-unsayable", ours)
        found[theirs] = value
    return found


def _makes_others(value: Any) -> bool:
    """An object inside a relational field makes or changes another item there."""
    if isinstance(value, list):
        return any(isinstance(one, Mapping | list) for one in value)
    return isinstance(value, Mapping)

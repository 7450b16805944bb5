"""From an action's content to the body of a create; the same action always gives the same bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from urllib3.filepost import encode_multipart_formdata

from once_delivery.targets.base import EffectRequest
from once_delivery.targets.content import PayloadError, file_of, json_bytes, title_of
from once_delivery.targets.wagtail.parameters import Parameters

_TITLE_LONGEST = 255


def draft_body(parameters: Parameters, request: EffectRequest) -> bytes:
    """A page that is not published: what stands in the payload cannot set ``meta``."""
    payload = request.payload
    title_of(payload)
    page = _mapped(payload, parameters.fields)
    page["meta"] = {"type": parameters.page_type, "parent_id": parameters.parent_of(payload)}
    page["slug"] = _slug(parameters, request)
    if parameters.marker_field is not None:
        page[parameters.marker_field] = request.marker
    return json_bytes(page)


def update_body(parameters: Parameters, request: EffectRequest) -> bytes:
    """The new content alone: slug, marker and place stay, and without ``meta.action`` nothing is published."""
    title_of(request.payload)
    return json_bytes(_mapped(request.payload, parameters.fields))


def _slug(parameters: Parameters, request: EffectRequest) -> str:
    """The marker, unless another field carries it and the content brings a slug of its own."""
    own = request.payload.get("slug")
    return own if parameters.marker_field and isinstance(own, str) and own else request.marker


def image_body(parameters: Parameters, request: EffectRequest) -> tuple[bytes, str]:
    """The multipart body of an upload, and its content type."""
    file = file_of(request)
    if parameters.image_marker_field is None:
        raise PayloadError("kind-not-declared", "image_marker_field")
    title = str(request.payload.get("title") or request.payload.get("alt") or file.name)
    fields = {
        **{name: str(value) for name, value in _mapped(request.payload, parameters.image_fields).items()},
        "title": title[:_TITLE_LONGEST],
        parameters.image_marker_field: request.marker,
    }
    parts: list[tuple[str, str | tuple[str, bytes, str]]] = [*sorted(fields.items())]
    parts.append(("file", (file.name, file.data, file.media_type or "application/octet-stream")))
    mark = hashlib.sha256(f"{request.marker} {file.sha256}".encode()).hexdigest()[:40]
    return encode_multipart_formdata(parts, boundary=f"once-{mark}")


def _mapped(payload: Mapping[str, Any], fields: Mapping[str, str]) -> dict[str, Any]:
    return {theirs: payload[ours] for ours, theirs in fields.items() if payload.get(ours) is not None}

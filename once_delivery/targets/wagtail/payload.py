"""From an action's content to the body of a create; the same action always gives the same bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from urllib3.filepost import encode_multipart_formdata

from once_delivery.targets.base import EffectRequest, FileBytes
from once_delivery.targets.wagtail.parameters import Parameters

_TITLE_LONGEST = 255


class PayloadError(Exception):
    """No request can be made of this content; nothing was sent."""

    def __init__(self, code: str, name: str) -> None:
        super().__init__(f"{code}: {name}")
        self.code = code
        self.name = name


def draft_body(parameters: Parameters, request: EffectRequest) -> bytes:
    """A page that is not published: what stands in the payload cannot set ``meta``."""
    payload = request.payload
    if not payload.get("title"):
        raise PayloadError("payload-missing", "title")
    page = _mapped(payload, parameters.fields)
    page["meta"] = {"type": parameters.page_type, "parent_id": parameters.parent_of(payload)}
    page["slug"] = _slug(parameters, request)
    if parameters.marker_field is not None:
        page[parameters.marker_field] = request.marker
    try:
        return json.dumps(page, ensure_ascii=False, sort_keys=True, allow_nan=False).encode()
    except (ValueError, TypeError):
        raise PayloadError("payload-unsayable", "a number or character that JSON cannot say") from None


def _slug(parameters: Parameters, request: EffectRequest) -> str:
    """The marker, unless another field carries it and the content brings a slug of its own."""
    own = request.payload.get("slug")
    return own if parameters.marker_field and isinstance(own, str) and own else request.marker


def image_body(parameters: Parameters, request: EffectRequest) -> tuple[bytes, str]:
    """The multipart body of an upload, and its content type."""
    file = _file(request)
    if file is None:
        raise PayloadError("payload-missing", "file")
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


def _file(request: EffectRequest) -> FileBytes | None:
    named = request.payload.get("file")
    sha256 = named.get("sha256") if isinstance(named, Mapping) else None
    return request.files.get(sha256) if isinstance(sha256, str) else None

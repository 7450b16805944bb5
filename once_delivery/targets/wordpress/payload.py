"""From an action's content to the body of a create; the same action always gives the same bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from once_delivery.targets.base import EffectRequest, FileBytes
from once_delivery.targets.wordpress.parameters import Parameters

_NUMBERS = frozenset({"featured_media"})


class PayloadError(Exception):
    """No request can be made of this content; nothing was sent."""

    def __init__(self, code: str, name: str) -> None:
        super().__init__(f"{code}: {name}")
        self.code = code
        self.name = name


@dataclass(frozen=True, slots=True)
class Body:
    """What is sent."""

    data: bytes
    headers: Mapping[str, str]
    query: Mapping[str, str]


def draft_body(parameters: Parameters, request: EffectRequest) -> Body:
    """A draft: nothing in the payload can set its status, slug or date."""
    payload = request.payload
    title = payload.get("title")
    if not isinstance(title, str) or not title.strip():
        raise PayloadError("payload-missing", "title")
    post: dict[str, Any] = dict(parameters.by_locale.get(str(payload.get("locale", "")), {}))
    meta: dict[str, Any] = {}
    for ours, theirs in parameters.fields.items():
        value = payload.get(ours)
        if value is None:
            continue
        if theirs.startswith("meta."):
            meta[theirs.removeprefix("meta.")] = value
        else:
            post[theirs] = _number(theirs, value) if theirs in _NUMBERS else value
    if parameters.marker_meta is not None:
        meta[parameters.marker_meta] = request.marker
    if meta:
        post["meta"] = meta
    post |= {"status": "draft", "slug": request.marker}
    try:
        data = json.dumps(post, ensure_ascii=False, sort_keys=True, allow_nan=False).encode()
    except (ValueError, TypeError):
        raise PayloadError("payload-unsayable", "a number or character that JSON cannot say") from None
    return Body(data, {"Content-Type": "application/json"}, {})


def file_body(parameters: Parameters, request: EffectRequest) -> Body:
    """The bytes as they are, under a name that nobody else has: WordPress lets two uploads at once share one file."""
    file = _file(request)
    if file is None:
        raise PayloadError("payload-missing", "file")
    ending = parameters.media_types.get(file.media_type)
    if ending is None:
        raise PayloadError("media-type-not-accepted", file.media_type or file.name)
    title = str(request.payload.get("title") or request.payload.get("alt") or file.name)
    query = {"slug": request.marker, "title": title}
    for ours, theirs in (("alt", "alt_text"), ("caption", "caption")):
        if request.payload.get(ours):
            query[theirs] = str(request.payload[ours])
    if parameters.marker_meta is not None:
        query[f"meta[{parameters.marker_meta}]"] = request.marker
    headers = {
        "Content-Type": file.media_type,
        "Content-Disposition": f'attachment; filename="{request.marker}.{ending}"',
        # WordPress wants it in hexadecimal, and refuses what arrived otherwise (412)
        "Content-MD5": hashlib.md5(file.data, usedforsecurity=False).hexdigest(),
    }
    return Body(file.data, headers, query)


def _number(name: str, value: Any) -> Any:
    """A result ID is text with us and a number there."""
    if isinstance(value, str):
        if not (value.isascii() and value.isdecimal()):
            raise PayloadError("payload-unsayable", name)
        return int(value)
    return value


def _file(request: EffectRequest) -> FileBytes | None:
    named = request.payload.get("file")
    sha256 = named.get("sha256") if isinstance(named, Mapping) else None
    return request.files.get(sha256) if isinstance(sha256, str) else None

"""From an action's content to the body of a create; the same action always gives the same bytes."""

from __future__ import annotations

import hashlib
import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from once_delivery.targets.base import EffectRequest
from once_delivery.targets.content import PayloadError, file_of, json_bytes, title_of
from once_delivery.targets.wordpress.parameters import Parameters

_NUMBERS = frozenset({"featured_media"})


@dataclass(frozen=True, slots=True)
class Body:
    """What is sent."""

    data: bytes
    headers: Mapping[str, str]
    query: Mapping[str, str]


def draft_body(parameters: Parameters, request: EffectRequest) -> Body:
    """A draft: nothing in the payload can set its status, slug or date."""
    post: dict[str, Any] = dict(parameters.by_locale.get(str(request.payload.get("locale", "")), {}))
    _fill(post, parameters, request)
    if parameters.marker_meta is not None:
        post["meta"] = {**post.get("meta", {}), parameters.marker_meta: request.marker}
    post |= {"status": "draft", "slug": request.marker}
    return _json(post)


def update_body(parameters: Parameters, request: EffectRequest) -> Body:
    """The new content alone: status, slug, date, marker and what a language brings stay as they are."""
    post: dict[str, Any] = {}
    _fill(post, parameters, request)
    return _json(post)


def _fill(post: dict[str, Any], parameters: Parameters, request: EffectRequest) -> None:
    payload = request.payload
    title_of(payload)
    meta: dict[str, Any] = {}
    for ours, theirs in parameters.fields.items():
        value = payload.get(ours)
        if value is None:
            continue
        if theirs.startswith("meta."):
            meta[theirs.removeprefix("meta.")] = value
        elif theirs == "title" and isinstance(value, str):
            # a title is plain text with us and HTML there: "<new>" would be dropped as a tag
            post[theirs] = html.escape(value, quote=False)
        else:
            post[theirs] = _number(theirs, value) if theirs in _NUMBERS else value
    if meta:
        post["meta"] = meta


def _json(post: Mapping[str, Any]) -> Body:
    return Body(json_bytes(post), {"Content-Type": "application/json"}, {})


def file_body(parameters: Parameters, request: EffectRequest) -> Body:
    """The bytes as they are, under a name that nobody else has: WordPress lets two uploads at once share one file."""
    file = file_of(request)
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

"""From an action's content to an object: key, bytes and headers; the same action always gives the same ones."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from once_delivery.targets.base import EffectRequest, Kind
from once_delivery.targets.content import PayloadError, file_of, json_bytes, title_of
from once_delivery.targets.s3.parameters import Parameters

MARKER, SHA256, UPDATE = "x-amz-meta-once-marker", "x-amz-meta-once-sha256", "x-amz-meta-once-update"
LONGEST = 5 * 1024**3  # of a single PUT
_KEY_LONGEST = 300  # of a result ID
_MEDIA_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+(; ?[a-z0-9-]+=[a-z0-9._-]+)?", re.IGNORECASE)
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_BODY = re.compile(r"<body>\n(.*)\n</body>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Thing:
    """One object to be. ``headers`` are those of its content; what the request depends on is not among them."""

    key: str
    data: bytes
    headers: Mapping[str, str]

    @property
    def etag(self) -> str:
        """What a store that does not encrypt calls these bytes."""
        return hashlib.md5(self.data, usedforsecurity=False).hexdigest()

    @property
    def checksum(self) -> str:
        """SHA-256 as S3 writes it."""
        return base64.b64encode(bytes.fromhex(self.headers[SHA256])).decode()


def thing_of(parameters: Parameters, request: EffectRequest) -> Thing:
    """What the action makes; raises PayloadError. An update keeps the key and the marker of the original."""
    template = parameters.template(request.kind)
    if template is None:
        raise PayloadError("kind-not-declared", request.kind)
    part = _file(request) if request.kind == Kind.UPLOAD_FILE else _draft(parameters, request.payload)
    sha256 = hashlib.sha256(part.data).hexdigest()
    original = request.original
    if original is not None:
        key, marker, more = original.result_id, original.marker, {UPDATE: request.marker}
    else:
        key = template.key(request.marker, name=part.name, sha256=sha256)
        marker, more = request.marker, {}
    if len(key) > _KEY_LONGEST:
        raise PayloadError("key-too-long", key[:100])
    headers = {**parameters.headers, **part.headers, MARKER: marker, SHA256: sha256, **more}
    return Thing(key, part.data, headers)


@dataclass(frozen=True, slots=True)
class _Part:
    """What of an object comes from the content alone."""

    name: str
    data: bytes
    headers: Mapping[str, str]


def _file(request: EffectRequest) -> _Part:
    file = file_of(request)
    name = file.name.encode(errors="replace").decode()
    kind = file.media_type if _MEDIA_TYPE.fullmatch(file.media_type) else "application/octet-stream"
    shown = f"inline; filename*=UTF-8''{quote(name, safe='')}"
    return _Part(name, file.data, {"content-type": kind, "content-disposition": shown})


def _draft(parameters: Parameters, payload: Mapping[str, Any]) -> _Part:
    data = _document(parameters, payload)
    return _Part(title_of(payload), data, {"content-type": _TYPES[parameters.draft]})


_TYPES = {"json": "application/json", "html": "text/html; charset=utf-8"}


def _document(parameters: Parameters, payload: Mapping[str, Any]) -> bytes:
    """Nothing but the declared fields: what else stands in the payload may mean something to who reads the bucket."""
    title = title_of(payload)
    if parameters.draft == "html":
        return _page(title, str(payload.get("body") or ""), str(payload.get("locale") or ""))
    fields = parameters.fields.items()
    return json_bytes({theirs: payload[ours] for ours, theirs in fields if payload.get(ours) is not None})


def _page(title: str, body: str, locale: str) -> bytes:
    try:
        return (
            f'<!doctype html>\n<html lang="{html.escape(locale)}">\n<head>\n<meta charset="utf-8">\n'
            f"<title>{html.escape(title)}</title>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
        ).encode()
    except UnicodeEncodeError:
        raise PayloadError("payload-unsayable", "a character that UTF-8 cannot say") from None


def content_of(parameters: Parameters, data: bytes) -> dict[str, str]:
    """What a person reads in a stored draft, by the names of our payload; nothing where it is no such document."""
    try:
        text = data.decode()
        if parameters.draft == "html":
            title, body = _TITLE.search(text), _BODY.search(text)
            return {"title": html.unescape(title[1]), "body": body[1]} if title and body else {}
        document = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(document, dict):
        return {}
    shown = {ours: document.get(theirs) for ours, theirs in parameters.fields.items()}
    return {ours: value for ours, value in shown.items() if isinstance(value, str)}

"""From a caller's document to an object: what each kind must have, and what it is worth as content."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any

from once_delivery.sandbox.errors import ApiError
from once_delivery.sandbox.objects import Stored
from once_delivery.sandbox.settings import Settings

DRAFT_STATUSES = ("draft", "pending", "private", "scheduled", "published", "trash")
_PUBLIC = ("published", "scheduled")
# the server's own; a caller who sends them back with a copy of the object means nothing by it
_OURS = {
    "id", "kind", "url", "version", "serial", "created_at", "updated_at", "state", "output", "usage", "cost", "data",
    "marker", "status", "size", "sha256", "file_url", "finished_at", "callbacks",
}  # fmt: skip
_TEXTS = ("title", "body", "locale", "product", "filename", "callback_url")
_LONGEST = {"title": 1000, "locale": 100, "product": 200, "filename": 255, "callback_url": 2000}
_MEDIA_TYPE = re.compile(r"[a-z]+/[a-z0-9.+-]{1,80}")
_MARKER_LONGEST = 200
MOST_CALLBACKS = 20


@dataclass(frozen=True, slots=True)
class Draft:
    """What a caller wants kept; ``data`` is the bytes of an upload."""

    marker: str | None
    status: str | None
    doc: dict[str, Any]
    data: bytes | None


def read_draft(kind: str, document: dict[str, Any], settings: Settings) -> Draft:
    """Check a caller's document. Raises ApiError 403 or 422 naming the field."""
    doc = {name: value for name, value in document.items() if name not in _OURS}
    for name in _TEXTS:
        value = doc.get(name)
        if value is not None and (not isinstance(value, str) or len(value) > _LONGEST.get(name, len(value))):
            raise ApiError(422, "bad_field", f"{name} is not a text of a fitting length", field=name)
    marker = document.get("marker")
    if marker is not None and not (isinstance(marker, str) and 0 < len(marker) <= _MARKER_LONGEST):
        raise ApiError(
            422, "bad_field", f"marker is a text of 1 to {_MARKER_LONGEST} characters", field="marker"
        )
    if kind == "drafts":
        return Draft(marker, _read_status(document, settings), doc, None)
    if kind == "uploads":
        return Draft(marker, None, doc, _read_data(document, doc))
    _check_job(doc)
    return Draft(marker, None, doc, None)


def _read_status(document: dict[str, Any], settings: Settings) -> str | None:
    status = document.get("status")
    if status is not None and status not in DRAFT_STATUSES:
        raise ApiError(422, "bad_field", "unknown status", field="status", known=list(DRAFT_STATUSES))
    if status in _PUBLIC and not settings.may_publish:
        raise ApiError(403, "may_not_publish", "this account may write drafts and not publish")
    return status


def _read_data(document: dict[str, Any], doc: dict[str, Any]) -> bytes | None:
    if not isinstance(doc.get("media_type", "application/octet-stream"), str) or not _MEDIA_TYPE.fullmatch(
        doc.get("media_type", "application/octet-stream")
    ):
        raise ApiError(422, "bad_field", "media_type is not a media type", field="media_type")
    text = document.get("data")
    if text is None:
        return None
    if not isinstance(text, str):
        raise ApiError(422, "bad_field", "data is base64 text", field="data")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise ApiError(422, "bad_field", "data is not base64", field="data") from None


def _check_job(doc: dict[str, Any]) -> None:
    url, times = doc.get("callback_url"), doc.get("callback_times", 1)
    if url is not None and not url.startswith(("http://", "https://")):
        raise ApiError(422, "bad_field", "callback_url is an http(s) address", field="callback_url")
    if isinstance(times, bool) or not isinstance(times, int) or not 0 <= times <= MOST_CALLBACKS:
        raise ApiError(422, "bad_field", "callback_times is 0 to 20", field="callback_times")


def apply(target: Stored, draft: Draft, *, merge: bool) -> None:
    """Put the content into an object: over what is there (``merge``) or in its place."""
    target.doc = {**target.doc, **draft.doc} if merge else dict(draft.doc)
    if draft.data is not None:
        target.doc["size"] = len(draft.data)
        target.doc["sha256"] = hashlib.sha256(draft.data).hexdigest()
    target.content_sha256 = target.doc.get("sha256") or _hash(target.doc)


def _hash(doc: dict[str, Any]) -> str:
    try:
        text = json.dumps(doc, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except ValueError:
        raise ApiError(400, "bad_json", "a number is beyond what JSON can say") from None
    return hashlib.sha256(text.encode()).hexdigest()

"""From an action's content to bytes: what every connector does alike. The same content always gives the same bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from once_delivery.targets.base import EffectRequest, FileBytes


class PayloadError(Exception):
    """No request can be made of this content; nothing was sent."""

    def __init__(self, code: str, name: str) -> None:
        super().__init__(f"{code}: {name}")
        self.code = code
        self.name = name


def title_of(payload: Mapping[str, Any]) -> str:
    """The title of a draft; raises PayloadError when there is none."""
    title = payload.get("title")
    if not isinstance(title, str) or not title.strip():
        raise PayloadError("payload-missing", "title")
    return title


def json_bytes(document: Mapping[str, Any]) -> bytes:
    """Canonical JSON; raises PayloadError for what JSON cannot say."""
    try:
        return json.dumps(document, ensure_ascii=False, sort_keys=True, allow_nan=False).encode()
    except (ValueError, TypeError):
        raise PayloadError("payload-unsayable", "a number or character that JSON cannot say") from None


def file_of(request: EffectRequest) -> FileBytes:
    """The file of an upload; raises PayloadError when there is none."""
    named = request.payload.get("file")
    sha256 = named.get("sha256") if isinstance(named, Mapping) else None
    file = request.files.get(sha256) if isinstance(sha256, str) else None
    if file is None:
        raise PayloadError("payload-missing", "file")
    return file

"""From an action's content to the body of a request; the same action always gives the same bytes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from urllib3.filepost import encode_multipart_formdata

from once_delivery.targets.base import EffectRequest
from once_delivery.targets.content import file_of, json_bytes, title_of
from once_delivery.targets.strapi.parameters import Parameters

_ENDING = re.compile(r"\.[A-Za-z0-9]{1,8}")


def draft_body(parameters: Parameters, request: EffectRequest) -> bytes:
    """A new draft. Only declared fields get in: nothing in the payload can set a status or a date."""
    content = _content(parameters, request.payload)
    if not parameters.plugin:
        # Strapi 4 knows no status and goes by this; 5 leaves it aside
        content |= {parameters.marker_field: request.marker, "publishedAt": None}
    return json_bytes({"data": content})


def update_body(parameters: Parameters, request: EffectRequest) -> bytes:
    """Other words for a draft; its marker stays. The plugin compares marker and version itself."""
    body: dict[str, Any] = {"data": _content(parameters, request.payload)}
    if parameters.plugin and request.original is not None:
        body |= {"marker": request.original.marker, "version": request.original.version}
    return json_bytes(body)


def file_body(request: EffectRequest) -> tuple[bytes, str]:
    """The multipart body of an upload, and its content type.

    The marker is the file's name. Strapi makes of it the ``hash``, which no editor can change afterwards.
    """
    file = file_of(request)
    ending = _ENDING.search(file.name[file.name.rfind(".") :]) if "." in file.name else None
    name = f"{request.marker}{ending.group().lower() if ending else ''}"
    info = {"name": name}
    for ours, theirs in (("alt", "alternativeText"), ("caption", "caption")):
        if request.payload.get(ours):
            info[theirs] = str(request.payload[ours])
    described = json.dumps(info, ensure_ascii=False, sort_keys=True)
    parts: list[tuple[str, str | tuple[str, bytes, str]]] = [
        ("fileInfo", described),
        ("files", (name, file.data, file.media_type or "application/octet-stream")),
    ]
    mark = hashlib.sha256(f"{request.marker} {file.sha256}".encode()).hexdigest()[:40]
    return encode_multipart_formdata(parts, boundary=f"once-{mark}")


def _content(parameters: Parameters, payload: Mapping[str, Any]) -> dict[str, Any]:
    title_of(payload)
    content = {
        theirs: payload[ours] for ours, theirs in parameters.fields.items() if payload.get(ours) is not None
    }
    content.pop(parameters.marker_field, None)
    return content

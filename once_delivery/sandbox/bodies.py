"""JSON bodies that others wrote: read with suspicion, refused with a clear word."""

from __future__ import annotations

import json
from typing import Any

from once_delivery.sandbox.errors import ApiError


def read_object(body: bytes) -> dict[str, Any]:
    """The JSON object of a body. Raises ApiError 400 for anything else."""
    if not body:
        raise ApiError(400, "bad_json", "the body is empty; a JSON object is expected")
    try:
        document = json.loads(body.decode(), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ApiError(400, "bad_json", "the body is not JSON in UTF-8") from None
    if not isinstance(document, dict):
        raise ApiError(400, "bad_json", "the body is not a JSON object")
    if b"\\u" in body or b"\0" in body:  # only an escape can bring what must not come in
        _check_text(document)
    return document


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def _check_text(value: Any) -> None:
    if isinstance(value, str):
        if "\0" in value:
            raise ApiError(400, "bad_text", "a text holds a NUL character")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ApiError(400, "bad_text", "a text holds half a surrogate pair") from None
    elif isinstance(value, dict):
        for name, part in value.items():
            _check_text(name)
            _check_text(part)
    elif isinstance(value, list):
        for part in value:
            _check_text(part)

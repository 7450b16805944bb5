"""JSON that others wrote: read with suspicion."""

from __future__ import annotations

import json
from typing import Any, Final

from jsonpointer import JsonPointer, JsonPointerException

MISSING: Final = object()


class UnreadableError(Exception):
    """Not JSON; ``code`` is empty-body, html or unreadable-json."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def parse_json(body: bytes, content_type: str) -> Any:
    """The document; raises UnreadableError."""
    if not body.strip():
        raise UnreadableError("empty-body")
    if is_html(body, content_type):
        raise UnreadableError("html")
    try:
        return json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise UnreadableError("unreadable-json") from None


def is_html(body: bytes, content_type: str) -> bool:
    """Whether a page for people came instead of an answer for programs: from a proxy, say."""
    return "html" in content_type.lower() or body.lstrip()[:1] == b"<"


def at(pointer: JsonPointer | None, document: Any) -> Any:
    """What ``pointer`` shows, or MISSING."""
    if pointer is None:
        return MISSING
    try:
        return pointer.resolve(document)
    except (JsonPointerException, TypeError):
        return MISSING


def _no_constant(name: str) -> Any:
    raise ValueError(name)

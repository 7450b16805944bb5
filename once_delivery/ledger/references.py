"""Results of other actions inside a payload: ``{"featured_media": {"$result": "hero-image"}}``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

RESULT = "$result"  # the other action's result ID
URL = "$url"  # where the result can be read


def slots_needed(payload: Any) -> frozenset[str]:
    """The slots that ``payload`` refers to."""
    return frozenset(_walk(payload))


def _walk(node: Any) -> Iterator[str]:
    if isinstance(node, Mapping):
        slot = _slot(node)
        if slot is not None:
            yield slot
            return
        for value in node.values():
            yield from _walk(value)
    elif isinstance(node, list | tuple):
        for value in node:
            yield from _walk(value)


def filled(payload: Any, results: Mapping[str, tuple[str, str]]) -> Any:
    """``payload`` with each reference replaced; ``results`` is slot → (result ID, address).

    Raises KeyError with the slot that has no result.
    """
    if isinstance(payload, Mapping):
        slot = _slot(payload)
        if slot is not None:
            return results[slot][0 if RESULT in payload else 1]
        return {key: filled(value, results) for key, value in payload.items()}
    if isinstance(payload, list | tuple):
        return [filled(value, results) for value in payload]
    return payload


def _slot(node: Mapping[str, Any]) -> str | None:
    if len(node) == 1:
        ((key, value),) = node.items()
        if key in {RESULT, URL} and isinstance(value, str):
            return value
    return None

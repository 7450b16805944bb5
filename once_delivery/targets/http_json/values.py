"""Single values out of JSON that others wrote: an ID, a text, a moment; nothing where there is none."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from once_delivery.common import redact
from once_delivery.common.moments import meant

_ID_LONGEST = 300
_TEXT_LONGEST = 300
_MILLISECONDS = 100_000_000_000  # seconds would be in the year 5138


def identifier(value: Any) -> str:
    """``value`` as a result ID, or nothing when it cannot be one."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    text = str(value)
    fine = len(text) <= _ID_LONGEST and text.isprintable() and text == text.strip()
    return text if fine else ""


def plain_text(value: Any) -> str:
    """``value`` as a short text, or nothing."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return redact.storable(str(value))[:_TEXT_LONGEST]


def marker_text(value: Any) -> str | None:
    """``value`` as a marker, or None when the target shows none."""
    return redact.storable(value)[:_TEXT_LONGEST] if isinstance(value, str) else None


def moment(value: Any) -> datetime | None:
    """``value`` as a point in time: ISO 8601, or seconds or milliseconds since 1970; None when nobody can mean it."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            seconds = value / 1000 if abs(value) > _MILLISECONDS else value
            return meant(datetime.fromtimestamp(seconds, tz=UTC))
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
    except (ValueError, OverflowError, OSError):
        return None
    return meant(found.replace(tzinfo=UTC) if found is not None and found.tzinfo is None else found)

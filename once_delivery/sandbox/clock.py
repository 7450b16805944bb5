"""Times: seconds since the epoch inside, ISO 8601 in UTC outside."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from once_delivery.sandbox.errors import ApiError


def now() -> float:
    """This moment, to the microsecond: what is kept is exactly what is told."""
    return round(time.time(), 6)


def iso(seconds: float | None) -> str | None:
    """``2026-11-29T09:40:00.123456Z``, or None for None."""
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def parse_iso(text: str) -> float:
    """Seconds since the epoch; a time without a zone is UTC. Raises ApiError 400."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ApiError(400, "bad_time", "a time must be ISO 8601, such as 2026-11-29T09:40:00Z") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()

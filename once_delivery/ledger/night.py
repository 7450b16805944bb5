"""When it is night: what is heavy and can wait is done then."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings

NIGHT = timedelta(hours=4)  # what has not begun by then waits for the next night


def night_of(now: datetime) -> datetime | None:
    """When the night began that ``now`` is in; None by day."""
    local = now.astimezone(ZoneInfo(settings.TIME_ZONE))
    began = local.replace(hour=settings.NIGHTLY_AUDIT_HOUR, minute=0, second=0, microsecond=0)
    if began > local:
        began -= timedelta(days=1)
    return began if local - began < NIGHT else None

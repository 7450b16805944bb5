"""Moments as others write them (ISO 8601): addresses, forms, targets. What is none is None, and raises nothing."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.dateparse import parse_datetime


def moment_of(said: object) -> datetime | None:
    """With or without a time zone, as it was written."""
    try:
        return parse_datetime(said) if isinstance(said, str) else None
    except ValueError:  # well written, and in no calendar
        return None


def aware_moment_of(said: object) -> datetime | None:
    """Without a time zone it says no moment."""
    found = moment_of(said)
    return found if found is not None and timezone.is_aware(found) else None

"""Moments as others write them (ISO 8601): addresses, forms, targets. What is none is None, and raises nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_noop

# of any moment that can be meant: every zone can show it, and every database keep it
YEARS = range(1970, 2200)

OTHER_TIMES = gettext_noop("“%(value)s” is no moment of our times: years from 1970 to 2199 are.")


def meant(moment: datetime | None) -> datetime | None:
    """``moment`` in UTC, so that nobody's offset goes on; None without a zone, and outside of ``YEARS``.

    PostgreSQL keeps moments that Python cannot read again, and takes no offset of 16 hours.
    """
    if moment is None or timezone.is_naive(moment):
        return None
    try:
        found = moment.astimezone(UTC)
    except OverflowError:  # before year 1 or after 9999 in UTC
        return None
    return found if found.year in YEARS else None


def moment_of(said: object) -> datetime | None:
    """In UTC with a time zone; without one as it was written."""
    try:
        found = parse_datetime(said) if isinstance(said, str) else None
    except ValueError:  # well written, and in no calendar
        return None
    if found is None or timezone.is_aware(found):
        return meant(found)
    return found if found.year in YEARS else None


def aware_moment_of(said: object) -> datetime | None:
    """In UTC. Without a time zone it says no moment."""
    found = moment_of(said)
    return found if found is not None and timezone.is_aware(found) else None


def mail_time_of(said: str) -> datetime | None:
    """A time as headers have it (``Sun, 29 Nov 2026 20:38:40 GMT``), of whatever year; without a zone it is UTC."""
    try:
        found = parsedate_to_datetime(said)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None  # for a number that no machine holds it has no word of its own
    return found if timezone.is_aware(found) else found.replace(tzinfo=UTC)

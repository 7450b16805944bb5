"""Waiting for news, for a bounded time, by few requests at once, and with no connection to the database meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from django.conf import settings
from django.db import connection

LONGEST_S = 30
PAUSE_S = 0.25
LONGEST_PAUSE_S = 1.0
Found = TypeVar("Found")

_seats = threading.BoundedSemaphore(settings.API_WAITERS) if settings.API_WAITERS else None


def wait_until(look: Callable[[], Found], *, is_enough: Callable[[Found], bool], wait_s: int) -> Found:
    """What ``look`` shows when it is enough, or when the time is over; at once when all seats are taken.

    A seat is a thread of the web: most of them must go on answering.
    """
    found = look()
    if wait_s <= 0 or is_enough(found) or connection.in_atomic_block:
        return found
    if _seats is None or not _seats.acquire(blocking=False):
        return found
    try:
        until, pause = time.monotonic() + min(wait_s, LONGEST_S), PAUSE_S
        while not is_enough(found) and (left := until - time.monotonic()) > 0:
            connection.close()
            time.sleep(min(pause, left))
            pause = min(pause * 1.3, LONGEST_PAUSE_S)
            found = look()
    finally:
        _seats.release()
    return found

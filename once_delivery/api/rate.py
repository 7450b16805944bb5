"""How many requests a token may make: a bucket a token, in each web process."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from django.conf import settings

_MOST_TOKENS = 10_000


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class Rate:
    """``per_s`` on the average, as many at once as come in ten seconds."""

    def __init__(self, per_s: float) -> None:
        self._per_s = per_s
        self._most = per_s * 10
        self._buckets: dict[int, _Bucket] = {}
        self._lock = threading.Lock()

    def wait_s(self, token_id: int) -> float:
        """0 when the request may be made now (and is counted), else how many seconds until it may."""
        now = time.monotonic()
        with self._lock:
            if len(self._buckets) > _MOST_TOKENS:
                self._buckets.clear()
            bucket = self._buckets.setdefault(token_id, _Bucket(self._most, now))
            bucket.left = min(self._most, bucket.left + (now - bucket.at) * self._per_s)
            bucket.at = now
            if bucket.left < 1:
                return (1 - bucket.left) / self._per_s
            bucket.left -= 1
            return 0.0


RATE = Rate(settings.API_REQUESTS_PER_S)

"""A profile's limits within one process, for a probe that nothing else runs beside."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from once_delivery.targets.profile import Profile


class Pace:
    """See :class:`once_delivery.targets.probing.lab.Turns`. One thread at a time."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._free_at = 0.0

    @contextmanager
    def take(self, wanted: int, *, effect: bool) -> Iterator[int]:
        """At most the profile's concurrency; the next turn waits for as long as these take of its rate."""
        allowed = max(1, min(wanted, self._profile.concurrency))
        time.sleep(max(0.0, self._free_at - time.monotonic()))
        if self._profile.rate_per_s is not None:
            self._free_at = time.monotonic() + allowed / self._profile.rate_per_s
        yield allowed

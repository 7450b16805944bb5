"""One wall-clock end for a whole request."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment of the monotonic clock, so that a clock that is set back prolongs nothing."""

    ends: float

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        return cls(time.monotonic() + seconds)

    @property
    def over(self) -> bool:
        return time.monotonic() >= self.ends

    def remaining(self) -> float:
        """Seconds that are left, more than none; raises TimeoutError when it is over."""
        left = self.ends - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

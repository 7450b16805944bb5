"""Which receivers said nothing lately, or took long, as this process knows it.

It saves waiting and decides nothing: a process that has forgotten it waits once for each of them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

Place = tuple[str, str]  # a channel, and the address where that has to answer by itself

# how long one is left alone after the first, the second and any further silence in a row
RESTS_S = (5.0, 60.0, 300.0)
SLOW_S = 0.5  # who takes longer comes after the others, and in turn with those that do so too


@dataclass(frozen=True, slots=True)
class _Rest:
    silences: int
    until: float


class Silences:
    """Places that were silent or slow when they were last asked. Safe to share between threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._rests: dict[Place, _Rest] = {}  # who was asked last comes last

    def silent(self, place: Place) -> int:
        """It said nothing; returns how often in a row."""
        with self._lock:
            known = self._rests.pop(place, None)
            silences = (known.silences if known else 0) + 1
            rest_s = RESTS_S[min(silences, len(RESTS_S)) - 1]
            self._rests[place] = _Rest(silences, self._clock() + rest_s)
        return silences

    def answered(self, place: Place, after_s: float) -> None:
        """It said something, whatever it was: earlier silences are forgotten."""
        with self._lock:
            self._rests.pop(place, None)
            if after_s > SLOW_S:
                self._rests[place] = _Rest(0, self._clock())

    def doubtful(self) -> set[Place]:
        """All of them."""
        with self._lock:
            return set(self._rests)

    def resting(self) -> set[Place]:
        """Those that are to be left alone now."""
        now = self._clock()
        with self._lock:
            return {place for place, rest in self._rests.items() if rest.until > now}

    def in_turn(self) -> list[Place]:
        """Those that may be asked now; whose last time was the longest ago comes first."""
        now = self._clock()
        with self._lock:
            return [place for place, rest in self._rests.items() if rest.until <= now]

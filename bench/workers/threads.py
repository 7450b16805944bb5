"""The same work in several threads until the time is up. Standard library only."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor


def for_seconds(seconds: float, *, threads: int, once: Callable[[int], object]) -> int:
    """Call ``once(thread)`` again and again in each thread; how often it was called in all."""
    until = time.monotonic() + seconds

    def loop(thread: int) -> int:
        count = 0
        while time.monotonic() < until:
            once(thread)
            count += 1
        return count

    with ThreadPoolExecutor(max_workers=threads) as pool:
        return sum(pool.map(loop, range(threads)))

"""Whose the processors were while something was measured: the benchmark's, its server's, or other programs'."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass

import psutil

_IDLE = ("idle", "iowait", "guest", "guest_nice")  # guest time is part of user time already


@dataclass(frozen=True, slots=True)
class Share:
    """Of one round: seconds by the clock, of processors in all, and of them those of the measured programs."""

    clock_s: float
    busy_s: float
    own_s: float

    @property
    def others(self) -> float:
        """Part of the machine that other programs had; 0 is a quiet machine."""
        return max(0.0, self.busy_s - self.own_s) / (self.clock_s * len(os.sched_getaffinity(0)))


class Watch:
    """Watches the benchmark's processes and those of its PostgreSQL. One share for every ``running()``."""

    def __init__(self, postmaster: int) -> None:
        self._roots = (psutil.Process(), psutil.Process(postmaster))
        self.shares: list[Share] = []

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """What runs inside is measured."""
        clock, busy, own = time.monotonic(), _busy(), self._own()
        yield
        # this order: what is own is also busy
        own = self._own() - own
        self.shares.append(Share(time.monotonic() - clock, _busy() - busy, own))

    def _own(self) -> float:
        return sum(_spent(each) for root in self._roots for each in (root, *root.children(recursive=True)))


def _spent(process: psutil.Process) -> float:
    """With what its children had spent that ended and were waited for."""
    try:
        found = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(found.user + found.system + found.children_user + found.children_system)


def _busy() -> float:
    found = psutil.cpu_times()._asdict()
    return float(sum(seconds for name, seconds in found.items() if name not in _IDLE))

"""The kernel ends a sender that outlives its lease (R2).

A process that was frozen between its last check and its write would send when it wakes, long after another took
over. A Python handler would come too late, so the timer keeps SIGALRM's *default* action: the kernel ends the
process before it runs another instruction. What it cannot cover: a paused virtual machine, whose timers pause too.
"""

from __future__ import annotations

import itertools
import signal
import threading
import time
from dataclasses import dataclass

SLACK_S = 0.25  # the timer ends this much before the lease does


class AlarmTakenError(RuntimeError):
    """Something else handles SIGALRM in this process; nothing may be sent from it."""


@dataclass(frozen=True, slots=True)
class Hold:
    """One lease under the alarm. ``ends`` is on the monotonic clock, in seconds."""

    number: int
    ends: float

    def remaining_s(self) -> float:
        """How long requests may still take."""
        return self.ends - time.monotonic()


class LeaseAlarm:
    """One timer for all leases of this process: it fires at the earliest end."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ends: dict[int, float] = {}
        self._numbers = itertools.count(1)

    def hold(self, lease_s: float) -> Hold:
        """Arm the timer. Call *before* the claim: then it ends before the lease that the database grants.

        Raises AlarmTakenError when SIGALRM has a handler or is ignored.
        """
        if signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL:
            raise AlarmTakenError
        one = Hold(next(self._numbers), time.monotonic() + max(0.0, lease_s - SLACK_S))
        with self._lock:
            self._ends[one.number] = one.ends
            self._arm()
        return one

    def release(self, one: Hold) -> None:
        """The last request under this lease is over: nothing of it can be sent any more."""
        with self._lock:
            self._ends.pop(one.number, None)
            self._arm()

    def _arm(self) -> None:
        if not self._ends:
            signal.setitimer(signal.ITIMER_REAL, 0)
            return
        signal.setitimer(signal.ITIMER_REAL, max(0.001, min(self._ends.values()) - time.monotonic()))


ALARM = LeaseAlarm()

"""honcho, with what it lacks here: a process that dies is started again, and ends are gentle first.

honcho sends its signals to whole groups of processes. A Celery worker whose children are told to end at
the same time can wait for ever for a lock that a child died with, so only the process itself is told.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import shlex
import signal
import sys
import time
from collections import deque
from functools import partial
from multiprocessing.synchronize import Event
from typing import Any

import honcho.manager
import honcho.process
from honcho.compat import ProcessManager

from once_delivery.common.die_with_parent import die_with_parent

GRACE_SECONDS = 20  # a worker finishes what it is doing
RESTART_AFTER_SECONDS = 1.0
# more ends than this in a minute: it will not come right by itself
MOST_ENDS, MINUTE_SECONDS = 5, 60.0
# the demo's second CMS: the house goes on without it
OPTIONAL = frozenset({"wagtail"})


class GentleEnd(ProcessManager):  # type: ignore[misc] # honcho has no types
    def terminate(self, pid: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)


class LastingProcess(honcho.process.Process):  # type: ignore[misc]
    """Runs its command again when that ends by itself; itself ends with the supervisor."""

    def __init__(self, cmd: str, *, stopping: Event, **options: Any) -> None:
        # the shell is replaced at once, so that the process that is told to end is the one that works
        launcher = f"exec {shlex.quote(sys.executable)} -m once_delivery.common.die_with_parent $PPID {cmd}"
        super().__init__(launcher, **options)
        self._stopping = stopping
        self._ends: deque[float] = deque(maxlen=MOST_ENDS)

    def run(self, events: Any = None, ignore_signals: bool = False) -> None:  # noqa: FBT001, FBT002
        die_with_parent(os.getppid())
        relayed = partial(_put_unless_stop, events)
        while True:
            super().run(_Events(relayed), ignore_signals)
            code = self._child.returncode
            if not self._stopping.is_set() and self._may_start_again():
                relayed(self._line(f"ended ({code}) and is started again"))
                self._stopping.wait(RESTART_AFTER_SECONDS)
                if not self._stopping.is_set():
                    continue
            elif self.name in OPTIONAL and not self._stopping.is_set():
                relayed(self._line(f"ended ({code}) for good; everything else goes on"))
                self._stopping.wait()
            self._events = events
            self._send_message({"returncode": code}, type="stop")
            return

    def _may_start_again(self) -> bool:
        self._ends.append(time.monotonic())
        return len(self._ends) < MOST_ENDS or self._ends[-1] - self._ends[0] > MINUTE_SECONDS

    def _line(self, text: str) -> Any:
        return honcho.process.Message(
            type="line", data=f"{text}\n", time=self._clock.now(), name=self.name, colour=self.colour
        )


class _Events:
    """The queue that honcho writes to, seen through a filter."""

    def __init__(self, put: Any) -> None:
        self.put = put


def _put_unless_stop(events: Any, message: Any) -> None:
    """honcho ends everything when one process stops; it hears of a stop only when it is for good."""
    if message.type != "stop":
        events.put(message)


class Supervisor(honcho.manager.Manager):  # type: ignore[misc]
    """Runs what is added to it until it is told to end, or something cannot be kept running."""

    def __init__(self, printer: Any = None) -> None:
        super().__init__(printer)
        honcho.manager.KILL_WAIT = GRACE_SECONDS
        self._procmgr = GentleEnd()
        self._stopping = multiprocessing.Event()
        self._process_ctor = partial(LastingProcess, stopping=self._stopping)

    def terminate(self) -> None:
        self._stopping.set()
        super().terminate()

    def _start(self) -> None:
        super()._start()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._told_to_end)

    def _told_to_end(self, number: int, _frame: Any) -> None:
        """The first signal ends gently, a second one at once."""
        self.returncode = 0
        if self._stopping.is_set():
            self.kill()
        else:
            self.say(f"ending; running work is finished first, {GRACE_SECONDS} s at most (again: at once)")
            self.terminate()

    def say(self, text: str) -> None:
        self._system_print(f"{text}\n")

"""The harness's side of its processes: born in the nursery, killed, frozen and thawed from here."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from tests.faults.stops import Stop

START_S = 40.0


class HarnessError(RuntimeError):
    """The harness itself went wrong; nothing is said about what it tests."""


def wait_for(condition: Callable[[], bool], *, seconds: float, what: str, every: float = 0.01) -> None:
    """Return when ``condition`` holds; raises HarnessError when it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise HarnessError(f"not within {seconds:.0f} s: {what}")
        time.sleep(every)


class Worker:
    """One process. Signals go to it by its ID, and only while it has not been reaped."""

    def __init__(self, pid: int, log: Path) -> None:
        self.pid = pid
        self.log = log
        self.code: int | None = None
        self._ended = threading.Event()

    def has_ended(self) -> bool:
        return self._ended.is_set()

    def ended(self, code: int) -> None:
        self.code = code
        self._ended.set()

    def kill(self) -> int:
        """SIGKILL: it does not get to say anything."""
        self.signal(signal.SIGKILL)
        return self.wait(10.0)

    def stop(self) -> int:
        """SIGTERM, as an operator does; SIGKILL when it does not listen."""
        self.signal(signal.SIGTERM)
        if not self._ended.wait(10.0):
            return self.kill()
        return self.wait(0.0)

    def freeze(self) -> None:
        self.signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.signal(signal.SIGCONT)

    def signal(self, number: signal.Signals) -> None:
        if not self.has_ended():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def wait(self, seconds: float) -> int:
        """Its exit code (minus the number of the signal that ended it); raises HarnessError."""
        if not self._ended.wait(seconds) or self.code is None:
            raise HarnessError(f"process {self.pid} has not ended: {self.said()}")
        return self.code

    def said(self) -> str:
        """The end of what it printed."""
        return self.log.read_text(errors="replace")[-1500:] if self.log.exists() else ""


class Nursery:
    """Starts workers quickly: a process that has everything imported forks them."""

    def __init__(self, environment: Mapping[str, str], folder: Path) -> None:
        self._environment = dict(environment)
        self._folder = folder
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._born: dict[int, queue.SimpleQueue[int]] = {}
        self._workers: dict[int, Worker] = {}
        self._early: dict[int, int] = {}  # ended before its birth was noticed
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = threading.Event()

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / "nursery.log").open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.faults.worker", str(os.getpid())],
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=Path(__file__).parents[2],
            )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        if not self._ready.wait(START_S) or self._process.poll() is not None:
            raise HarnessError(
                "the nursery did not start: " + (self._folder / "nursery.log").read_text()[-2000:]
            )
        return self

    def __exit__(self, *_: object) -> None:
        for worker in list(self._workers.values()):
            worker.signal(signal.SIGKILL)
        process = self._process
        assert process is not None
        assert process.stdin is not None
        process.stdin.close()
        process.wait(10)
        self._listener.join(10)
        assert process.stdout is not None
        process.stdout.close()

    def start(
        self,
        *command: str,
        database: str,
        stop: Stop | None = None,
        barrier: Path | None = None,
        without: Sequence[str] = (),
        database_host: str = "",
    ) -> Worker:
        """A process that runs a management command on ``database``."""
        number = next(self._numbers)
        log = self._folder / f"worker-{number}.log"
        order: dict[str, Any] = {
            "number": number,
            "command": list(command),
            "database": database,
            "database_host": database_host,
            "log": str(log),
            "stop": stop.as_json() if stop else None,
            "barrier": str(barrier) if barrier else None,
            "without": list(without),
        }
        born: queue.SimpleQueue[int] = queue.SimpleQueue()
        assert self._process is not None
        assert self._process.stdin is not None
        with self._lock:
            self._born[number] = born
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()
        try:
            pid = born.get(timeout=START_S)
        except queue.Empty:
            raise HarnessError("the nursery does not answer") from None
        with self._lock:
            worker = self._workers[pid] = Worker(pid, log)
            if pid in self._early:
                worker.ended(self._early.pop(pid))
        return worker

    def _listen(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        for line in self._process.stdout:
            said = json.loads(line)
            if "ready" in said:
                self._ready.set()
                continue
            with self._lock:
                if "number" in said:
                    self._born.pop(said["number"]).put(said["pid"])
                elif said["ended"] in self._workers:
                    self._workers.pop(said["ended"]).ended(said["code"])
                else:
                    self._early[said["ended"]] = said["code"]
        self._process.wait()
        self._ready.set()  # whoever waits for it sees that it is gone

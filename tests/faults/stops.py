"""Places at which a process of the harness stops, so that it can be killed, frozen or let go right there.

The process says where it is with a file and waits for another; production code knows nothing of this.
"""

from __future__ import annotations

import functools
import math
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

_CREATES = frozenset({"POST", "PUT", "PATCH"})
_POLL_S = 0.005
WRITE = "write"


@dataclass(frozen=True, slots=True)
class Stop:
    """Where to stop and how. ``wait``: until it is let go; ``freeze``: SIGSTOP to itself; ``sleep``: for ``seconds``;
    ``spin``: every thread that has come runs on the spot for ``seconds`` (for somebody else's SIGSTOP to meet them).

    It stops once, when ``arrivals`` threads are there. ``skip``: so many pass before that.
    """

    point: str
    folder: Path
    how: str = "wait"
    arrivals: int = 1
    seconds: float = 0.0
    skip: int = 0

    @property
    def reached_file(self) -> Path:
        return self.folder / "reached"

    @property
    def go_file(self) -> Path:
        return self.folder / "go"

    def is_reached(self) -> bool:
        """Has the process come to the place?"""
        return self.reached_file.exists()

    def let_go(self) -> None:
        """It may go on."""
        self.go_file.touch()

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"folder": str(self.folder)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        return cls(**{**data, "folder": Path(data["folder"])})


class Gate:
    """The place itself, in the process that stops."""

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self._lock = threading.Lock()
        self._come = -stop.skip
        self._over = threading.Event()
        self._spins_until = math.inf

    def _spin(self) -> None:
        while time.monotonic() < self._spins_until:
            pass

    def reach(self) -> None:
        """Called whenever a thread comes by."""
        with self._lock:
            self._come += 1
            number = self._come
        if number < 1 or number > self._stop.arrivals:
            return
        if number == self._stop.arrivals:
            self._stand_still()
            self._over.set()
            return
        if self._stop.how == "spin":
            self._spin()
        else:
            self._over.wait()

    def _stand_still(self) -> None:
        self._stop.reached_file.write_text(str(os.getpid()))
        if self._stop.how == "freeze":
            # to this very thread: it does not run another instruction before the whole process stands
            signal.pthread_kill(threading.get_ident(), signal.SIGSTOP)
        elif self._stop.how == "sleep":
            time.sleep(self._stop.seconds)
        elif self._stop.how == "spin":
            self._spins_until = time.monotonic() + self._stop.seconds
            self._spin()
        else:
            while not self._stop.go_file.exists():
                time.sleep(_POLL_S)


def install(stop: Stop) -> None:
    """From now on this process stops at ``stop.point``. Replaces functions of the house in this process alone."""
    _INSTALL[stop.point](Gate(stop).reach)


def _before_the_intent_commits(reach: Callable[[], None]) -> None:
    from once_delivery.ledger import gate

    original = gate.spend

    def spend(**named: Any) -> None:
        """The last statement of the claim's transaction."""
        original(**named)
        if not named.get("reads"):
            reach()

    gate.spend = spend


def _before_connecting(reach: Callable[[], None]) -> None:
    from once_delivery.ledger.services import perform_group

    perform_group.prepare = _before(perform_group.prepare, reach)  # type: ignore[attr-defined]


def _connected(reach: Callable[[], None]) -> None:
    from once_delivery.common.http import client

    original = client.HttpClient._exchange

    def exchange(self: Any, wire: Any, request: Any, head: bytes) -> Any:
        if request.method in _CREATES:
            reach()
        return original(self, wire, request, head)

    client.HttpClient._exchange = exchange  # type: ignore[method-assign]


def _reset_when_connected(reach: Callable[[], None]) -> None:
    """The first connection that is about to be written to is gone."""
    from once_delivery.common.http import client

    original = client.HttpClient._exchange
    done: list[str] = []

    def exchange(self: Any, wire: Any, request: Any, head: bytes) -> Any:
        if request.method in _CREATES and not done:
            done.append(request.url)
            wire._sock.shutdown(socket.SHUT_RDWR)
        return original(self, wire, request, head)

    client.HttpClient._exchange = exchange  # type: ignore[method-assign]


def _before_the_system_call(reach: Callable[[], None]) -> None:
    """After every check there is: what comes next is the kernel."""
    original = socket.socket.send

    def send(self: socket.socket, data: Any, *flags: int) -> int:
        if bytes(data[:4]).split(b" ")[0].decode("latin-1") in _CREATES:
            reach()
        return original(self, data, *flags)

    socket.socket.send = send  # type: ignore[method-assign, assignment]


def _written(reach: Callable[[], None]) -> None:
    from once_delivery.common.http import client

    original = client._write

    def write(wire: Any, head: bytes, body: bytes) -> bool:
        whole = original(wire, head, body)
        if head.split(b" ", 1)[0].decode("latin-1") in _CREATES:
            reach()
        return whole

    client._write = write


def _in_the_answer(reach: Callable[[], None]) -> None:
    """Status and headers are read, the body is coming."""
    from once_delivery.common.http import client

    original = client.read_body  # type: ignore[attr-defined]

    def read_body(response: Any, cap: int) -> Any:
        if response._method in _CREATES:
            reach()
        return original(response, cap)

    client.read_body = read_body  # type: ignore[attr-defined]


def _before_the_result_commits(reach: Callable[[], None]) -> None:
    from once_delivery.ledger.services import recorder

    recorder.record_answers = _before(recorder.record_answers, reach)  # type: ignore[attr-defined]


def _after_the_result_committed(reach: Callable[[], None]) -> None:
    from once_delivery.ledger.services import recorder

    recorder.record_answers = _after(recorder.record_answers, reach)  # type: ignore[attr-defined]


def _between_look_and_record(reach: Callable[[], None]) -> None:
    from once_delivery.ledger.services import look_up

    look_up.record_looks = _before(look_up.record_looks, reach)  # type: ignore[attr-defined]


def _before(function: Callable[..., Any], reach: Callable[[], None]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapped(*arguments: Any, **named: Any) -> Any:
        reach()
        return function(*arguments, **named)

    return wrapped


def _after(function: Callable[..., Any], reach: Callable[[], None]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapped(*arguments: Any, **named: Any) -> Any:
        result = function(*arguments, **named)
        reach()
        return result

    return wrapped


# FAULTS "Where a process may die", and two places more
_INSTALL: dict[str, Callable[[Callable[[], None]], None]] = {
    "K1": _before_the_intent_commits,
    "K2": _before_connecting,
    "K3": _connected,
    "K3-reset": _reset_when_connected,
    WRITE: _before_the_system_call,
    "K4": _written,
    "K5": _written,
    "K6": _in_the_answer,
    "K7": _before_the_result_commits,
    "K8": _after_the_result_committed,
    "look": _between_look_and_record,
}

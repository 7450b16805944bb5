"""Connections that are kept open between requests."""

from __future__ import annotations

import os
import threading
from collections import defaultdict

from once_delivery.common.http.message import Origin
from once_delivery.common.http.sockets import Wire

# Below the shortest time that common servers keep an idle connection (gunicorn: 2 s): writing into one that
# is just being closed costs a look-up each time.
IDLE_S = 1.5


class Pool:
    """Idle connections by origin; the last used comes first, so that spare ones grow old and go."""

    def __init__(self, keep: int) -> None:
        self._keep = keep
        self._start()

    def _start(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._idle: defaultdict[Origin, list[Wire]] = defaultdict(list)

    def take(self, origin: Origin) -> Wire | None:
        """An idle connection that the server has not closed, or nothing."""
        if self._pid != os.getpid():
            # After a fork parent and child would read one another's answers. Closing here ends nothing there.
            for wires in self._idle.values():
                for wire in wires:
                    wire.close()
            self._start()
        while True:
            with self._lock:
                if not self._idle[origin]:
                    return None
                wire = self._idle[origin].pop()
            if wire.still_good(IDLE_S):
                return wire
            wire.close()

    def give_back(self, origin: Origin, wire: Wire) -> None:
        wire.rest()
        with self._lock:
            if len(self._idle[origin]) < self._keep:
                self._idle[origin].append(wire)
                return
        wire.close()

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, defaultdict(list)
        for wires in idle.values():
            for wire in wires:
                wire.close()

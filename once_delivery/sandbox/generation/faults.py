"""What goes wrong at a simulated service, and when. Each fault strikes as often as it says, submits alone if it says so."""

from __future__ import annotations

import enum
import threading
from dataclasses import dataclass, field


class Kind(enum.Enum):
    """How a request fails."""

    ANSWER_LOST = "answer_lost"  # done; the connection breaks before a byte of the answer
    NEVER_DONE = "never_done"  # the connection breaks; nothing was done, and nothing will be
    LATE = "late"  # the connection breaks; it is done ``seconds`` later
    ERROR_AFTER = "error_after"  # done; a gateway's 502 in place of the answer
    ERROR_BEFORE = "error_before"  # a 500 of the service; nothing was done
    BUSY = "busy"  # 429 in the service's own words; nothing was done
    CUT = "cut"  # done; the answer breaks off in its middle


@dataclass
class Fault:
    """``times`` requests are struck; ``submits``: only those that start a job."""

    kind: Kind
    times: int = 1
    seconds: float = 0.0
    submits: bool = True


@dataclass
class Faults:
    """The faults that are still to strike, in order."""

    armed: list[Fault] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def arm(self, kind: Kind, *, times: int = 1, seconds: float = 0.0, submits: bool = True) -> None:
        """Let the next ``times`` requests go wrong."""
        with self._lock:
            self.armed.append(Fault(kind, times, seconds, submits))

    def take(self, *, submit: bool) -> Fault | None:
        """The fault for this request, counted at once."""
        with self._lock:
            for fault in self.armed:
                if fault.times > 0 and (submit or not fault.submits):
                    fault.times -= 1
                    return fault
        return None

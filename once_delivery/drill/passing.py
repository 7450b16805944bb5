"""What a losing proxy passes on, and what it remembers of it."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Loss(enum.StrEnum):
    """How an answer is lost. All but ``BEFORE`` come after the target has answered."""

    CUT = "cut"  # closed without a byte
    RESET = "reset"  # the same, with a TCP reset
    HALF = "half"  # closed in the middle of the body, or of the headers where there is no body
    HANG = "hang"  # kept open and silent until the caller goes
    BEFORE = "before"  # closed, and the target never saw the request


@dataclass(frozen=True, slots=True)
class PassedCall:
    """One call that could create. ``status`` None: the target was not reached, or did not answer."""

    number: int
    method: str
    path: str
    marker: str
    status: int | None = None
    result_id: str = ""
    created: bool = False  # it was answered with an object that no earlier call with this marker had made
    answered: bool = False  # the caller was given the answer


@dataclass(frozen=True, slots=True)
class Reply:
    """The target's answer."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


@dataclass(frozen=True, slots=True)
class Passed:
    """What came of one request. ``reply`` None: nothing came from the target, and nothing is answered."""

    reply: Reply | None
    loss: Loss | None = None
    number: int = 0  # of the remembered call; 0 for a read

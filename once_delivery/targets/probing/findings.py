"""What one experiment found out about one claim. Pure."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


class Claim(enum.StrEnum):
    """What a capability profile says, each by itself; the order is that of a page."""

    GUARD = "guard"  # the sum of the three below
    SECOND_CREATE = "second_create"  # a second create with one identity makes no second object
    AT_ONCE = "at_once"  # many at once make one object
    OTHER_CONTENT = "other_content"  # the same identity with other content overwrites nothing
    WINDOW = "window_s"
    LOOK_UP = "look_up"
    CONSISTENCY = "consistency"
    INDEX_LAG = "index_lag_s"
    ABSENCE = "absence"  # what nobody made is told to be absent, completely
    UPDATE = "update_existing"  # an update for a state that is over is refused
    CANNOT_PUBLISH = "cannot_publish"  # the account may not
    STAYS_DRAFT = "stays_draft"  # what was created is not public
    DEADLINE = "deadline_s"
    SETTLE = "settle_s"
    REMOVED = "removed"  # what was removed is not found any more


class Verdict(enum.StrEnum):
    """How a claim stands after an experiment."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    DOUBTFUL = "doubtful"  # it held, with little room
    NOT_MEASURED = "not_measured"  # ``seen`` says why


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a probe. ``seen`` is a code of wording.py, ``numbers`` fill its sentence (seconds, counts, IDs)."""

    claim: Claim
    claimed: str
    verdict: Verdict
    seen: str
    numbers: Mapping[str, Any] = field(default_factory=dict)


class NotMeasuredError(Exception):
    """An experiment could not be made; ``seen`` says why."""

    def __init__(self, seen: str, **numbers: Any) -> None:
        super().__init__(seen)
        self.seen = seen
        self.numbers = numbers


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """What several findings together say of a claim that needs them all: one refuted refutes, one missing leaves it open."""
    found = set(verdicts)
    for verdict in (Verdict.REFUTED, Verdict.NOT_MEASURED, Verdict.DOUBTFUL):
        if verdict in found:
            return verdict
    return Verdict.CONFIRMED if found else Verdict.NOT_MEASURED


def claimed_text(value: object) -> str:
    """A profile's value as it is kept: ``client_id``, ``30``, ``0.5``, ``true``."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    return str(value)

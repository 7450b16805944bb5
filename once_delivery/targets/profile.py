"""The capability profile: what a target claims about duplicates, look-ups and limits (DESIGN section 5)."""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from once_delivery.targets import schema


class Guard(enum.StrEnum):
    """What makes a second effect impossible or unlikely at this target."""

    IDEMPOTENCY_KEY = "idempotency_key"
    CLIENT_ID = "client_id"
    LOOKUP = "lookup"
    NONE = "none"


class Consistency(enum.StrEnum):
    """How soon a look-up shows what was made.

    ``strong``: at once. ``bounded``: within ``index_lag_s``, and absence needs a visible witness made later.
    ``unknown``: absence never proves anything.
    """

    STRONG = "strong"
    BOUNDED = "bounded"
    UNKNOWN = "unknown"


class OnNewVersion(enum.StrEnum):
    """What becomes of the draft of an older input version when a newer one is delivered (DESIGN section 4)."""

    CREATE_NEW = "create_new"
    UPDATE_EXISTING = "update_existing"


@dataclass(frozen=True, slots=True)
class Profile:
    """One target's capability profile. Times are seconds; ``rate_per_s`` None means no limit of ours."""

    guard: Guard = Guard.NONE
    deadline_s: float = 30.0  # whole request: DNS, connect, write, read
    settle_s: float = 600.0  # after the attempt is over, how long "absent" proves nothing
    look_up: bool = False  # the marker can be queried
    consistency: Consistency = Consistency.UNKNOWN
    index_lag_s: float = 0.0
    window_s: float = 0.0  # protection window of an idempotency key, since its first send
    window_margin_s: float = 60.0
    concurrency: int = 4  # requests at once, over all processes
    rate_per_s: float | None = None
    look_up_every_s: float = 5.0  # first pause between look-ups; doubles up to 5 minutes
    patience_s: float = 3600.0  # how long a look-up may fail before a person is asked
    attempts_max: int = 10  # sends of one action, releases that never left not counted
    check_after_create: bool = False  # look up after every create, not only after a recovery
    on_new_version: OnNewVersion = (
        OnNewVersion.CREATE_NEW
    )  # update_existing needs a target that tells versions

    @property
    def lease_s(self) -> float:
        """How long a sender holds an action: two deadlines (one may wait its turn) and a margin."""
        return self.deadline_s * 2 + 2.0

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Profile:
        """Read a stored profile; raises InvalidInputError with pointers when it does not fit the schema."""
        schema.validate(data, "profile")
        values = dict(data)
        if "guard" in values:
            values["guard"] = Guard(values["guard"])
        if "consistency" in values:
            values["consistency"] = Consistency(values["consistency"])
        if "on_new_version" in values:
            values["on_new_version"] = OnNewVersion(values["on_new_version"])
        return cls(**values)


def stored_profile(data: Mapping[str, Any]) -> Profile:
    """As ``Profile.from_json``, for what is stored: every decision reads it, and the same text says the same each time."""
    return _stored(json.dumps(data))


@lru_cache(maxsize=1024)
def _stored(text: str) -> Profile:
    return Profile.from_json(json.loads(text))

"""Faults as data: what is to go wrong, for which call, and how often."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from once_delivery.sandbox.errors import ApiError
from once_delivery.sandbox.storage import Store

#: kind → the variants it knows; the first is the default
VARIANTS: dict[str, tuple[str, ...]] = {
    "answer_lost": (),
    "error_before": (),
    "error_after": (),
    "zombie": (),
    "slow": (),
    "rate_limited": (),
    "unavailable": (),
    "reset_before": (),
    "reset_after": (),
    "hang": ("not_committed", "committed"),
    "cut_in_answer": (),
    "unreadable": (
        "no_id", "cut_json", "error_null", "ok_error_body", "accepted", "see_other", "bad_gzip", "gzip_bomb",
        "other_action", "html", "empty", "redirect_inside",
    ),
    "busy": (),
    "refuse": (),
    "endless": (),
    "slow_body": (),
}  # fmt: skip
_LONGEST_S = 86_400
_STATUSES = range(200, 600)
_OPERATIONS = ("create", "lookup", "update", "remove", "any")
_MATCH = {"marker", "title_contains", "field", "nth", "operation", "kind"}
_FIELDS = {"kind", "match", "times", "seconds", "variant", "status"}


@dataclass(frozen=True, slots=True)
class Occasion:
    """What a fault may look at."""

    operation: str
    kind: str
    marker: str | None
    document: dict[str, Any]
    nth: int | None


@dataclass(slots=True)
class Fault:
    """One rule; ``fired`` counts how often it has struck."""

    id: int
    kind: str
    match: dict[str, Any] = field(default_factory=dict)
    times: int = 1
    seconds: float = 1.0
    variant: str | None = None
    status: int | None = None
    fired: int = 0

    def rule(self) -> dict[str, Any]:
        """What was asked for."""
        return {name: getattr(self, name) for name in sorted(_FIELDS)}

    def as_json(self) -> dict[str, Any]:
        """The rule with its number and its count."""
        return {"id": self.id, **self.rule(), "fired": self.fired}

    def strikes(self, occasion: Occasion) -> bool:
        """Whether this call is meant, and something is left to strike."""
        if self.times and self.fired >= self.times:
            return False
        match = self.match
        operation = match.get("operation", "create")
        return (
            operation in ("any", occasion.operation)
            and match.get("kind", occasion.kind) == occasion.kind
            and ("marker" not in match or match["marker"] == occasion.marker)
            and ("nth" not in match or match["nth"] == occasion.nth)
            and match.get("title_contains", "") in str(occasion.document.get("title") or "")
            and all(_at(occasion.document, path) == value for path, value in match.get("field", {}).items())
        )


class Faults:
    """The faults of all spaces, in memory for speed and in the store so that they survive a restart."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._of: dict[str, list[Fault]] = {}
        for row in store.rows("SELECT * FROM faults ORDER BY id"):
            rule = json.loads(row["rule"])
            self._of.setdefault(row["space"], []).append(Fault(id=row["id"], fired=row["fired"], **rule))

    def add(self, space: str, given: dict[str, Any]) -> Fault:
        """Arm a fault. Raises ApiError 422 for a rule that makes no sense."""
        fault = parse_fault(given)
        cursor = self._store.write(
            "INSERT INTO faults (space, rule, fired) VALUES (?,?,0)", (space, json.dumps(fault.rule()))
        )
        fault.id = int(cursor.lastrowid or 0)
        self._of.setdefault(space, []).append(fault)
        return fault

    def take(self, space: str, occasion: Occasion) -> Fault | None:
        """The first fault that strikes, counted at once: one with ``times`` 1 can never strike twice."""
        for fault in self._of.get(space, ()):
            if fault.strikes(occasion):
                fault.fired += 1
                self._store.write("UPDATE faults SET fired=? WHERE id=?", (fault.fired, fault.id))
                return fault
        return None

    def listing(self, space: str) -> list[dict[str, Any]]:
        """All faults of a space with their counts."""
        return [fault.as_json() for fault in self._of.get(space, ())]

    def clear(self, space: str) -> int:
        """Disarm all of a space; how many there were. Calls already caught by one stay caught."""
        self._store.write("DELETE FROM faults WHERE space=?", (space,))
        return len(self._of.pop(space, ()))


def parse_fault(given: dict[str, Any]) -> Fault:
    """A fault from JSON. Raises ApiError 422 naming what is wrong."""
    kind = given.get("kind")
    unknown = set(given) - _FIELDS
    if unknown or not isinstance(kind, str) or kind not in VARIANTS:
        raise ApiError(
            422, "bad_fault", f"unknown fault {kind!r} or field {sorted(unknown)}", known=sorted(VARIANTS)
        )
    variant = given.get("variant") or next(iter(VARIANTS[kind]), None)
    if variant is not None and variant not in VARIANTS[kind]:
        raise ApiError(422, "bad_fault", f"{kind} has no variant {variant!r}", known=list(VARIANTS[kind]))
    times, seconds, status = given.get("times", 1), given.get("seconds", 1.0), given.get("status")
    if (
        not isinstance(times, int)
        or times < 0
        or not isinstance(seconds, (int, float))
        or not 0 <= seconds <= _LONGEST_S
    ):
        raise ApiError(422, "bad_fault", "times is a whole number from 0, seconds a number from 0")
    if status is not None and not (isinstance(status, int) and status in _STATUSES):
        raise ApiError(422, "bad_fault", "status is an HTTP status from 200")
    return Fault(0, kind, _parse_match(given.get("match", {})), times, float(seconds), variant, status)


def _parse_match(match: Any) -> dict[str, Any]:
    if not isinstance(match, dict) or set(match) - _MATCH:
        raise ApiError(422, "bad_fault", "match is an object", known=sorted(_MATCH))
    if match.get("operation", "any") not in _OPERATIONS:
        raise ApiError(422, "bad_fault", "unknown operation", known=list(_OPERATIONS))
    if not isinstance(match.get("field", {}), dict) or not isinstance(match.get("title_contains", ""), str):
        raise ApiError(422, "bad_fault", "field is an object, title_contains a text")
    return match


def _at(document: Any, path: str) -> Any:
    """The value at a name or a JSON pointer, or None."""
    names = path[1:].split("/") if path.startswith("/") else [path]
    for name in names:
        document = (
            document.get(name.replace("~1", "/").replace("~0", "~")) if isinstance(document, dict) else None
        )
    return document

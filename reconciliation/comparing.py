"""One confirmed action against what an audit saw of it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from once_delivery.targets.base import Presence


@dataclass(frozen=True, slots=True)
class Expected:
    """A confirmed action: which object it left, and in which state."""

    action_id: int
    kind: str
    result_id: str
    marker: str  # as the object carries it
    own_marker: str
    version: str = ""  # "" where the target never told it
    overtaken: bool = False  # a newer input version has updated the same object since


@dataclass(frozen=True, slots=True)
class Held:
    """An object as the target's list shows it."""

    result_id: str
    marker: str = ""
    title: str = ""
    status: str = ""
    url: str = ""
    version: str = ""
    trashed: bool = False

    def as_json(self) -> dict[str, Any]:
        """For evidence; what is empty is left out."""
        shown = {"result_id": self.result_id, "title": self.title, "status": self.status, "url": self.url}
        return {name: value for name, value in shown.items() if value}


@dataclass(frozen=True, slots=True)
class Compared:
    """What became of it. ``presence`` None: nothing follows from this list; ``count_again``: ask by the marker."""

    presence: Presence | None = None
    evidence: dict[str, Any] = field(default_factory=dict)
    count_again: bool = False


def compare(
    expected: Expected, *, carrying: Sequence[Held], by_id: Held | None, everything: bool
) -> Compared:
    """``carrying``: what has the marker; ``by_id``: what has the result ID, whatever it carries.

    ``everything`` says that the list was complete. A list of changes, or one that was cut short, never tells that
    something is missing.
    """
    ids = {held.result_id for held in carrying}
    evidence: dict[str, Any] = {
        "result_id": expected.result_id,
        "held": [held.as_json() for held in carrying],
    }
    if len(ids) > 1 or (ids and expected.result_id not in ids):
        # another one of ours was made, even if only that one is left
        if len(ids) > 1 or everything:
            return Compared(Presence.DUPLICATE, evidence)
        return Compared(count_again=True)
    if not carrying:
        return _without_marker(expected, by_id, everything=everything)
    (held,) = [one for one in carrying if one.result_id == expected.result_id][:1]
    if held.trashed:
        return Compared(Presence.TRASHED, evidence)
    if _was_changed(expected, held):
        versions = {"version": held.version, "confirmed_version": expected.version}
        return Compared(Presence.CHANGED, {**evidence, "what": "content", **versions})
    return Compared(Presence.PRESENT)


def _without_marker(expected: Expected, by_id: Held | None, *, everything: bool) -> Compared:
    if by_id is not None:
        shown = {"result_id": expected.result_id, "held": [by_id.as_json()], "what": "marker"}
        return Compared(Presence.CHANGED, shown)
    if everything:
        return Compared(Presence.MISSING, {"result_id": expected.result_id, "held": []})
    return Compared()


def _was_changed(expected: Expected, held: Held) -> bool:
    return bool(
        expected.version and held.version and expected.version != held.version and not expected.overtaken
    )

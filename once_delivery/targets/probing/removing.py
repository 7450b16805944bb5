"""Remove what the probe made, and nothing else: looked up by the marker, the marker read, removed by ID (R6)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from once_delivery.targets.base import FoundObject, Kind, Look, Outcome
from once_delivery.targets.base import Verdict as Saw
from once_delivery.targets.probing.drafts import Draft
from once_delivery.targets.probing.findings import Claim, Finding, NotMeasuredError, Verdict
from once_delivery.targets.probing.lab import Lab

_ROUNDS = 3
_POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class Removal:
    """What became of one object. ``why`` is a code where it is still there (or may be)."""

    result_id: str
    url: str
    removed: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class Cleared:
    """What became of everything with one marker. ``nothing_left``: a complete look showed no more of it.

    ``asked``: whether there is a way to ask the target for a marker at all.
    """

    removals: tuple[Removal, ...]
    nothing_left: bool
    asked: bool


def clear(
    lab: Lab, draft: Draft, known: Mapping[str, str], listed: Iterable[FoundObject] | None = None
) -> Cleared:
    """Remove every object that carries the draft's marker. ``known``: IDs and links that were answered.

    ``listed`` is the target's list, for targets that cannot be asked by marker.
    """
    removals: dict[str, Removal] = {}
    nothing_left = False
    for _ in range(_ROUNDS):
        there, complete = _there(lab, draft, listed)
        waiting = {**known, **there}
        todo = [result_id for result_id in waiting if not _is_gone(removals.get(result_id))]
        for result_id in todo:
            removals[result_id] = _remove(lab, draft, result_id, waiting[result_id])
        nothing_left = complete and all(_is_gone(one) for one in removals.values())
        if nothing_left or not any(removals[result_id].removed for result_id in todo):
            break
    asked = lab.profile.look_up or listed is not None
    return Cleared(tuple(removals.values()), nothing_left, asked)


def _is_gone(removal: Removal | None) -> bool:
    return removal is not None and removal.removed


def _there(lab: Lab, draft: Draft, listed: Iterable[FoundObject] | None) -> tuple[dict[str, str], bool]:
    """IDs and links of what carries the marker now; and whether that is everything."""
    if lab.profile.look_up:
        look = lab.look(draft)
        ours = {one.result_id: one.url for one in look.objects if one.marker == draft.marker}
        return ours, look.complete and look.verdict != Saw.CANNOT_TELL
    if listed is not None:
        return {one.result_id: one.url for one in listed if one.marker == draft.marker}, True
    return {}, False


def _remove(lab: Lab, draft: Draft, result_id: str, url: str) -> Removal:
    """Only after the object itself has shown our marker, now."""
    look = lab.read(draft.kind, result_id)
    if look.verdict == Saw.ABSENT and look.complete:
        return Removal(result_id, url, removed=True)
    marked = look if look.verdict == Saw.FOUND else _by_look_up(lab, draft)
    shown = [one.marker for one in marked.objects if one.result_id == result_id]
    if draft.marker not in shown:
        why = "marker-not-shown" if shown in ([], [None]) else "marker-of-another"
        return Removal(result_id, url, removed=False, why=why)
    answer = lab.remove(draft.kind, result_id)
    after = lab.read(draft.kind, result_id)
    if after.verdict == Saw.FOUND:
        why = answer.code if answer.outcome != Outcome.DONE else "still-there"
        why = "in-the-trash" if after.objects[0].trashed else why or "still-there"
        return Removal(result_id, url, removed=False, why=why)
    gone = answer.outcome == Outcome.DONE or (after.verdict == Saw.ABSENT and after.complete)
    return Removal(result_id, url, removed=gone, why="" if gone else answer.code or "cannot-tell")


def _by_look_up(lab: Lab, draft: Draft) -> Look:
    """A connector that cannot read one ID may still show the marker in a look-up."""
    return lab.look(draft)


def removed_is_gone(lab: Lab, draft: Draft) -> Finding:
    """What a look-up says of something that was removed. No profile claims it; it is good to know."""
    if not lab.profile.look_up:
        raise NotMeasuredError("cannot-be-asked")
    until = time.monotonic() + lab.lag_s + lab.extent.wait_s
    while True:
        look = lab.look(draft)
        if look.verdict == Saw.CANNOT_TELL:
            raise NotMeasuredError("cannot-tell", code=look.code)
        if look.verdict == Saw.ABSENT:
            return Finding(Claim.REMOVED, "", Verdict.CONFIRMED, "removed-is-absent")
        if all(one.trashed for one in look.objects):
            return Finding(Claim.REMOVED, "", Verdict.CONFIRMED, "removed-is-in-the-trash")
        if time.monotonic() >= until:
            return Finding(Claim.REMOVED, "", Verdict.REFUTED, "removed-is-still-found")
        lab.sleep(_POLL_S)


def forgotten(marker: str, kind: Kind) -> Draft:
    """The draft of a probe that is over: its marker and kind are all that removing needs."""
    return Draft(marker, kind, {"title": ""})

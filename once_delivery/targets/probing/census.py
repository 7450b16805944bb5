"""How many objects are there for each draft: by what was answered, by look-up, and by the target's own list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from once_delivery.targets.base import Answer, Outcome, Verdict
from once_delivery.targets.probing.drafts import Draft
from once_delivery.targets.probing.findings import NotMeasuredError
from once_delivery.targets.probing.lab import Lab
from once_delivery.targets.profile import Guard


@dataclass(frozen=True, slots=True)
class Count:
    """The IDs of one draft's objects. ``certain``: everything that exists was counted."""

    ids: frozenset[str]
    certain: bool
    by: tuple[str, ...] = field(default=())


def census(lab: Lab, drafts: Iterable[tuple[Draft, Iterable[Answer]]]) -> dict[str, Count]:
    """By marker. Waits for the lag that the profile declares, then asks; the list is read once for all of them."""
    known = [(draft, list(answers)) for draft, answers in drafts]
    lab.sleep(min(lab.lag_s, max(lab.extent.wait_s, 1.0)))
    listed = _listed(lab, [draft for draft, _ in known])
    return {draft.marker: _count(lab, draft, answers, listed) for draft, answers in known}


def _listed(lab: Lab, drafts: list[Draft]) -> Mapping[str, set[str]] | None:
    found = lab.inventory(lab.extent.kind)
    if found is None:
        return None
    by_marker: dict[str, set[str]] = {draft.marker: set() for draft in drafts}
    for draft in drafts:
        ours = [one for one in found if one.marker == draft.marker]
        by_marker[draft.marker] |= {one.result_id for one in ours}
        lab.notebook.saw(draft, ours)
    return by_marker


def _count(lab: Lab, draft: Draft, answers: list[Answer], listed: Mapping[str, set[str]] | None) -> Count:
    ids = {one.result_id for one in answers if one.outcome == Outcome.DONE and one.result_id}
    by = ["answers"] if _replayed(lab, answers) else []
    if listed is not None:
        ids |= listed[draft.marker]
        # a list that does not show what was certainly made cannot be used for counting
        if listed[draft.marker]:
            by.append("list")
    if lab.profile.look_up:
        look = lab.look(draft)
        ours = {one.result_id for one in look.objects if one.marker in {None, draft.marker}}
        ids |= ours
        if look.verdict in {Verdict.FOUND, Verdict.FOUND_MANY} and ours:
            by.append("look_up")
    return Count(frozenset(ids), certain=bool(by), by=tuple(by))


def _replayed(lab: Lab, answers: list[Answer]) -> bool:
    """A key's whole promise is that its answer comes again: two of them naming one ID are the proof of that."""
    done = [one.result_id for one in answers if one.outcome == Outcome.DONE]
    return lab.profile.guard == Guard.IDEMPOTENCY_KEY and len(done) > 1 and len(set(done)) == 1


def one_each(counts: Iterable[Count]) -> bool:
    """True: one object each, counted for certain. False: somewhere there are two. Raises NotMeasuredError else."""
    known = list(counts)
    if any(len(count.ids) > 1 for count in known):
        return False
    if not known or not all(count.certain and count.ids for count in known):
        raise NotMeasuredError("cannot-be-counted")
    return True

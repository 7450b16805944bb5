"""What follows from what was refuted. Pure. One rule for all of it:

A claim that a probe refuted stands refuted until a newer probe, of the same settings or of today's, and of the same
kind of object, confirms it.

- While the **guard** stands refuted (or the window of its key), nothing is sent at the target. It does not fall back
  to a weaker guard by itself: what was planned was promised under the stronger one, and a person chooses.
- While **stays_draft** stands refuted no draft is sent either; while **update_existing** does, no update is.
- Everything else that stands refuted weakens the profile by which the ledger decides: a look-up that was refuted is
  not made, "absent" proves nothing any more where the consistency, the lag or the settle time was refuted. The guard
  that stands refuted counts as "lookup" there, or as "none" without a look-up, so that nothing is sent again under a
  protection that is not there; looking goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from once_delivery.targets.base import Kind
from once_delivery.targets.probing.findings import Claim, Finding, Verdict
from once_delivery.targets.profile import Consistency, Guard, Profile

_OF_THE_GUARD = frozenset({Claim.GUARD, Claim.WINDOW})
_OF_ABSENCE = frozenset({Claim.CONSISTENCY, Claim.INDEX_LAG, Claim.SETTLE})
_OF_THE_LOOK_UP = frozenset({Claim.LOOK_UP, Claim.ABSENCE})


@dataclass(frozen=True, slots=True)
class Measured:
    """A finding with its place in history. ``settings``: fingerprint of how the target was reached and addressed.

    ``kind``: what the probe made.
    """

    finding: Finding
    at: datetime
    settings: str
    kind: Kind = Kind.CREATE_DRAFT


@dataclass(frozen=True, slots=True)
class Refutation:
    """A claim of the profile that stands refuted."""

    claim: Claim
    claimed: str
    seen: str
    at: datetime
    numbers: Mapping[str, Any] = field(default_factory=dict)


def standing(profile: Profile, history: Iterable[Measured], settings: str) -> tuple[Refutation, ...]:
    """The claims of ``profile`` that stand refuted; ``history`` oldest first."""
    known = list(history)
    found: dict[Claim, Refutation] = {}
    for number, one in enumerate(known):
        finding = one.finding
        if finding.verdict != Verdict.REFUTED or not _speaks_against(finding, profile):
            continue
        if any(_lifts(later, one, profile, settings) for later in known[number + 1 :]):
            continue
        found[finding.claim] = Refutation(
            finding.claim, finding.claimed, finding.seen, one.at, finding.numbers
        )
    return tuple(found.values())


def _speaks_against(finding: Finding, profile: Profile) -> bool:
    """What is not named here is shown, and nothing follows from it."""
    numbers = finding.numbers
    bounded = profile.consistency == Consistency.BOUNDED
    match finding.claim:
        case Claim.GUARD:
            speaks = finding.claimed == profile.guard
        case Claim.WINDOW:
            keyed = profile.guard == Guard.IDEMPOTENCY_KEY
            speaks = keyed and profile.window_s > _number(numbers, "honoured_s")
        case Claim.CONSISTENCY | Claim.INDEX_LAG if bounded:
            speaks = profile.index_lag_s < _number(numbers, "missed_s")
        case Claim.CONSISTENCY | Claim.INDEX_LAG:
            speaks = profile.consistency == Consistency.STRONG
        case Claim.LOOK_UP | Claim.ABSENCE:
            speaks = profile.look_up
        case Claim.SETTLE:
            speaks = profile.settle_s < _number(numbers, "landed_s")
        case claim:
            speaks = claim in {Claim.UPDATE, Claim.STAYS_DRAFT}
    return speaks


def _number(numbers: Mapping[str, Any], name: str) -> float:
    value = numbers.get(name)
    return float(value) if isinstance(value, int | float) else 0.0


def _lifts(later: Measured, earlier: Measured, profile: Profile, settings: str) -> bool:
    finding = later.finding
    if finding.claim != earlier.finding.claim or finding.verdict != Verdict.CONFIRMED:
        return False
    if later.kind != earlier.kind:
        return False  # that drafts are protected lifts nothing that was seen of files
    return later.settings in {earlier.settings, settings} and _covers(finding, profile)


def _covers(finding: Finding, profile: Profile) -> bool:
    """Whether what was confirmed is as much as the profile claims."""
    match finding.claim:
        case Claim.GUARD:
            return finding.claimed == profile.guard
        case Claim.CONSISTENCY:
            return finding.claimed == profile.consistency
        case Claim.WINDOW:
            return float(finding.claimed) >= profile.window_s
        case Claim.INDEX_LAG:
            return float(finding.claimed) <= profile.index_lag_s
    return True


def weakened(profile: Profile, refuted: Iterable[Claim]) -> Profile:
    """The profile without what stands refuted: what the ledger decides by."""
    claims = set(refuted)
    if claims & _OF_THE_LOOK_UP:
        profile = replace(profile, look_up=False, consistency=Consistency.UNKNOWN)
    if claims & _OF_ABSENCE:
        profile = replace(profile, consistency=Consistency.UNKNOWN)
    guard_is_left = not claims & _OF_THE_GUARD and (profile.guard != Guard.LOOKUP or profile.look_up)
    if not guard_is_left:
        below = profile.guard not in {Guard.LOOKUP, Guard.NONE} and profile.look_up
        profile = replace(profile, guard=Guard.LOOKUP if below else Guard.NONE)
    return profile


def stopped_by(kind: Kind, refuted: Iterable[Claim]) -> Claim | None:
    """The claim because of which nothing of ``kind`` is sent; None when it may be sent."""
    stops = set(_OF_THE_GUARD)
    if kind in {Kind.CREATE_DRAFT, Kind.UPDATE_DRAFT}:
        stops.add(Claim.STAYS_DRAFT)
    if kind == Kind.UPDATE_DRAFT:
        stops.add(Claim.UPDATE)
    return min(stops & set(refuted), key=list(Claim).index, default=None)


def forbids(claim: Claim) -> bool:
    """Whether a profile with this claim refuted is not stored: nothing could be sent by it."""
    return claim in _OF_THE_GUARD

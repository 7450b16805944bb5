"""Is what was made found, how soon, and is what was never made told to be absent (R5)."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from once_delivery.targets.base import Verdict as Saw
from once_delivery.targets.probing.findings import Claim, Finding, Verdict, claimed_text
from once_delivery.targets.probing.guarding import first
from once_delivery.targets.probing.lab import Lab
from once_delivery.targets.profile import Consistency, Guard

_LEAST_S = 10.0
_PAUSES_S = (0.0, 0.02, 0.05, 0.1, 0.2, 0.5)


@dataclass(frozen=True, slots=True)
class _Sight:
    """How one draft came into sight. Seconds since the answer to its create."""

    found_s: float | None = None  # when the look began that showed it
    missed_s: float | None = None  # when the last complete look began that said "absent"
    cannot: str = ""  # why a look could not tell
    wrong: bool = False  # it showed another object as ours


def absence(lab: Lab) -> list[Finding]:
    """Of a marker that never was."""
    look = lab.look(lab.draft())
    numbers = {"method": look.method, "code": look.code}
    if look.verdict in {Saw.FOUND, Saw.FOUND_MANY}:
        return [_finding(lab, Claim.ABSENCE, Verdict.REFUTED, "nobodys-found", numbers)]
    if look.verdict == Saw.CANNOT_TELL:
        return [_finding(lab, Claim.ABSENCE, Verdict.NOT_MEASURED, "cannot-tell", numbers)]
    if not look.complete:
        return [_finding(lab, Claim.ABSENCE, Verdict.NOT_MEASURED, "absent-incomplete", numbers)]
    return [_finding(lab, Claim.ABSENCE, Verdict.CONFIRMED, "absent-complete", numbers)]


def finding_again(lab: Lab) -> list[Finding]:
    """Create, then ask until it is there: the look-up, its consistency and its lag, and the guard that rests on it."""
    sights = _sights(lab)
    found = [one.found_s for one in sights if one.found_s is not None]
    missed = max((one.missed_s for one in sights if one.missed_s is not None), default=None)
    numbers = {
        "looks": len(sights),
        "found": len(found),
        "median_s": round(statistics.median(found), 3) if found else None,
        "lag_s": round(max(found), 3) if found else None,
        "missed_s": round(missed, 3) if missed is not None else None,
        "code": next((one.cannot for one in sights if one.cannot), ""),
        "limit_s": _limit_s(lab),
    }
    look_up = _look_up(lab, sights, numbers)
    findings = [look_up, *_freshness(lab, look_up.verdict, missed, numbers)]
    if lab.profile.guard == Guard.LOOKUP:
        # "absent" and "found" are what this guard is made of
        findings.insert(0, Finding(Claim.GUARD, Guard.LOOKUP, look_up.verdict, look_up.seen, numbers))
    return findings


def _sights(lab: Lab) -> list[_Sight]:
    """Until one did not come into sight: that decides, and waiting for more of them tells nothing new."""
    sights: list[_Sight] = []
    while len(sights) < lab.extent.looks and (not sights or sights[-1].found_s is not None):
        sights.append(_sight(lab))
    return sights


def _sight(lab: Lab) -> _Sight:
    draft, answer = first(lab)
    answered = time.monotonic()
    missed: float | None = None
    for number in range(10_000):
        look = lab.look(draft)
        since = lab.began - answered
        if look.verdict == Saw.CANNOT_TELL:
            return _Sight(missed_s=missed, cannot=look.code or "cannot-tell")
        if look.verdict != Saw.ABSENT:
            # a target may show no marker; what it found by ours is believed to be ours, as in a delivery
            ours = [one for one in look.objects if one.marker in {None, draft.marker}]
            right = answer.result_id in {one.result_id for one in ours} and len(ours) == len(look.objects)
            return _Sight(found_s=since if right else None, missed_s=missed, wrong=not right)
        if look.complete:
            missed = since
        if since > _limit_s(lab):
            break
        lab.sleep(_PAUSES_S[min(number, len(_PAUSES_S) - 1)])
    return _Sight(missed_s=missed)


def _limit_s(lab: Lab) -> float:
    """How long one waits for it: longer than the declared lag, where that can be waited for."""
    return max(lab.extent.wait_s, min(lab.lag_s * 1.5 + 1.0, 120.0), min(_LEAST_S, lab.extent.wait_s * 2))


def _look_up(lab: Lab, sights: Iterable[_Sight], numbers: Mapping[str, object]) -> Finding:
    known = list(sights)
    if any(one.wrong for one in known):
        return _finding(lab, Claim.LOOK_UP, Verdict.REFUTED, "another-found", numbers)
    if any(one.cannot for one in known):
        return _finding(lab, Claim.LOOK_UP, Verdict.NOT_MEASURED, "cannot-tell", numbers)
    if all(one.found_s is not None for one in known):
        return _finding(lab, Claim.LOOK_UP, Verdict.CONFIRMED, "found-every-time", numbers)
    if _limit_s(lab) < lab.lag_s:
        return _finding(lab, Claim.LOOK_UP, Verdict.NOT_MEASURED, "not-visible-yet", numbers)
    return _finding(lab, Claim.LOOK_UP, Verdict.REFUTED, "not-found", numbers)


def _freshness(
    lab: Lab, look_up: Verdict, missed: float | None, numbers: Mapping[str, object]
) -> list[Finding]:
    profile = lab.profile
    if profile.consistency == Consistency.UNKNOWN:
        return []
    claims = (
        [Claim.CONSISTENCY, Claim.INDEX_LAG]
        if profile.consistency == Consistency.BOUNDED
        else [Claim.CONSISTENCY]
    )
    # one complete "absent" after the answer (and the declared lag) refutes, whatever else could not be measured
    if missed is not None and missed > lab.lag_s:
        seen, verdict = "missed-after-answer", Verdict.REFUTED
    elif look_up != Verdict.CONFIRMED:
        seen, verdict = "not-found-every-time", Verdict.NOT_MEASURED
    else:
        seen, verdict = "seen-in-time", Verdict.CONFIRMED
    return [_finding(lab, claim, verdict, seen, numbers) for claim in claims]


def _finding(lab: Lab, claim: Claim, verdict: Verdict, seen: str, numbers: Mapping[str, object]) -> Finding:
    profile = lab.profile
    claimed = {
        Claim.LOOK_UP: claimed_text(profile.look_up),
        Claim.ABSENCE: claimed_text(profile.look_up),
        Claim.CONSISTENCY: str(profile.consistency),
        Claim.INDEX_LAG: claimed_text(profile.index_lag_s),
    }[claim]
    return Finding(claim, claimed, verdict, seen, numbers)

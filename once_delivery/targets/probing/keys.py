"""For how long does the target remember an idempotency key: asked at several ages, each with a key of its own."""

from __future__ import annotations

import time
from dataclasses import dataclass

from once_delivery.targets.base import Outcome
from once_delivery.targets.probing.drafts import Draft
from once_delivery.targets.probing.findings import Claim, Finding, NotMeasuredError, Verdict, claimed_text
from once_delivery.targets.probing.guarding import first
from once_delivery.targets.probing.lab import Lab

SHARES = (0.25, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class _Key:
    draft: Draft
    result_id: str
    sent: float  # monotonic, before the request left


def window(lab: Lab) -> list[Finding]:
    """Confirmed when the wait was as long as the ledger would ever rely on the key; forgotten earlier refutes."""
    profile = lab.profile
    relied_on = profile.window_s - max(profile.window_margin_s, profile.lease_s)
    longest = min(lab.extent.wait_s, relied_on if relied_on > 0 else profile.window_s)
    keys = [_sent(lab) for _ in SHARES]
    honoured = 0.0
    for key, share in zip(keys, SHARES, strict=True):
        lab.sleep(max(0.0, key.sent + longest * share - time.monotonic()))
        age = time.monotonic() - key.sent
        forgotten = _is_forgotten(lab, key)
        if forgotten:
            numbers = {"honoured_s": round(honoured, 2), "forgotten_s": round(age, 2)}
            return [_finding(lab, Verdict.REFUTED, "key-forgotten", numbers)]
        honoured = age
    numbers = {"honoured_s": round(honoured, 2)}
    if relied_on > 0 and honoured >= relied_on:
        return [_finding(lab, Verdict.CONFIRMED, "key-honoured", numbers)]
    return [_finding(lab, Verdict.NOT_MEASURED, "key-honoured-so-far", numbers)]


def _sent(lab: Lab) -> _Key:
    begun = time.monotonic()
    draft, answer = first(lab)
    return _Key(draft, answer.result_id, begun)


def _is_forgotten(lab: Lab, key: _Key) -> bool:
    answer = lab.create(key.draft, again=True)
    if answer.outcome != Outcome.DONE:
        raise NotMeasuredError("replay-not-answered", code=answer.code)
    return answer.result_id != key.result_id


def _finding(lab: Lab, verdict: Verdict, seen: str, numbers: dict[str, float]) -> Finding:
    return Finding(Claim.WINDOW, claimed_text(lab.profile.window_s), verdict, seen, numbers)

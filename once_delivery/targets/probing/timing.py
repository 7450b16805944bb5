"""How long the target takes, beside the deadline; and what a request does whose sender has hung up."""

from __future__ import annotations

import math
import statistics
import time

from once_delivery.targets.base import Answer, Outcome
from once_delivery.targets.base import Verdict as Saw
from once_delivery.targets.probing.drafts import Draft
from once_delivery.targets.probing.findings import Claim, Finding, NotMeasuredError, Verdict, claimed_text
from once_delivery.targets.probing.lab import Lab

_NEAR = 0.5  # of the deadline; a target under load is easily twice as slow
SHARES = (0.6, 0.8, 0.4)  # of the usual time of a create, after which the probe hangs up
_SHORTEST_S = 0.005
_POLL_S = 0.05


def deadline(lab: Lab) -> list[Finding]:
    """From all that the probe has asked so far."""
    creates, looks = sorted(lab.took["create"]), sorted(lab.took["look"])
    if not creates:
        raise NotMeasuredError("nothing-was-made", code="")
    numbers = {
        "creates": len(creates),
        "create_median_s": round(statistics.median(creates), 3),
        "create_p95_s": round(_p95(creates), 3),
        "looks": len(looks),
        "look_p95_s": round(_p95(looks), 3) if looks else None,
    }
    slowest = max(_p95(creates), _p95(looks) if looks else 0.0)
    near = slowest > lab.profile.deadline_s * _NEAR
    verdict = Verdict.DOUBTFUL if near else Verdict.CONFIRMED
    seen = "near-the-deadline" if near else "well-within"
    return [Finding(Claim.DEADLINE, claimed_text(lab.profile.deadline_s), verdict, seen, numbers)]


def _p95(values: list[float]) -> float:
    return values[max(0, math.ceil(len(values) * 0.95) - 1)]


def settling(lab: Lab) -> list[Finding]:
    """A lower bound alone: how much later a request landed whose sender had hung up. It can refute, never confirm."""
    if not lab.profile.look_up:
        raise NotMeasuredError("cannot-be-asked")
    if not lab.took["create"]:
        raise NotMeasuredError("nothing-was-made", code="")
    draft = _hung_up(lab)
    given_up = time.monotonic()
    landed = _landed(lab, draft, given_up)
    claimed = claimed_text(lab.profile.settle_s)
    if landed is None:
        numbers = {"waited_s": round(time.monotonic() - given_up, 2)}
        return [Finding(Claim.SETTLE, claimed, Verdict.NOT_MEASURED, "hung-up-never-seen", numbers)]
    earliest, latest = landed
    numbers = {"landed_s": round(earliest, 3), "seen_s": round(latest, 3)}
    if earliest > lab.profile.settle_s + lab.lag_s:
        return [Finding(Claim.SETTLE, claimed, Verdict.REFUTED, "landed-after-settle", numbers)]
    return [Finding(Claim.SETTLE, claimed, Verdict.NOT_MEASURED, "landed-late", numbers)]


def _hung_up(lab: Lab) -> Draft:
    """One request that left and whose answer was not waited for."""
    usual = statistics.median(lab.took["create"])
    for share in SHARES:
        draft = lab.draft()
        answer: Answer = lab.create(draft, deadline_s=max(_SHORTEST_S, usual * share))
        if answer.outcome == Outcome.UNKNOWN:
            return draft
    raise NotMeasuredError("cannot-hang-up")


def _landed(lab: Lab, draft: Draft, given_up: float) -> tuple[float, float] | None:
    """Not before and not after how many seconds; None when it did not come into sight."""
    missed = 0.0
    while time.monotonic() - given_up < lab.extent.wait_s + lab.lag_s:
        look = lab.look(draft)
        if look.verdict in {Saw.FOUND, Saw.FOUND_MANY}:
            return missed, max(0.0, lab.began - given_up)
        if look.verdict == Saw.CANNOT_TELL:
            raise NotMeasuredError("cannot-tell", code=look.code)
        missed = max(0.0, lab.began - given_up)
        lab.sleep(_POLL_S)
    return None

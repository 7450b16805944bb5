"""When "not there" counts (R5). Pure."""

from __future__ import annotations

from datetime import datetime

from once_delivery.ledger.facts import Evidence, settled_at
from once_delivery.targets.base import Look, Verdict
from once_delivery.targets.profile import Consistency


def proves_absence(look: Look, *, evidence: Evidence, looked_at: datetime, witnessed: bool) -> bool:
    """Is the action's object certainly not there, and not on its way?

    The look must be complete, have begun after the settle time, and the look-up must be one that shows what
    exists: at once (strong), or, where an index lags, proven by a witness: another object of ours that was made
    later than this attempt and is visible.
    """
    if look.verdict != Verdict.ABSENT or not look.complete or look.candidates:
        return False
    settled = settled_at(evidence)
    if settled is not None and looked_at < settled:
        return False
    match evidence.profile.consistency:
        case Consistency.STRONG:
            return True
        case Consistency.BOUNDED:
            return witnessed
        case _:
            return False

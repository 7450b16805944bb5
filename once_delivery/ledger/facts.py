"""What is known of one action, and what follows from its times. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from once_delivery.ledger.states import NextStep, State
from once_delivery.targets.base import Outcome, Verdict
from once_delivery.targets.probing.standing import Refutation
from once_delivery.targets.profile import Consistency, Guard, Profile


@dataclass(frozen=True, slots=True)
class Sent:
    """An attempt and what came back in time. ``outcome`` None: the sender never said."""

    number: int
    intended_at: datetime
    lease_until: datetime
    key_generation: int
    outcome: Outcome | None = None
    received_at: datetime | None = None
    result_id: str = ""

    @property
    def may_have_arrived(self) -> bool:
        """The target may hold, or yet make, something because of this attempt."""
        return self.outcome not in {Outcome.NOT_SENT, Outcome.NOT_DONE, Outcome.REFUSED}

    @property
    def over_at(self) -> datetime:
        """From then on the sender itself sends nothing more: it said so, or the kernel has ended it (R2)."""
        return self.received_at if self.received_at is not None else self.lease_until


@dataclass(frozen=True, slots=True)
class Seen:
    """An observation that was made after the last attempt."""

    verdict: Verdict
    looked_at: datetime
    complete: bool
    proves_absence: bool
    code: str = ""


PERMIT_LONGEST_S = 3600.0  # the longest lease that a permit may have


@dataclass(frozen=True, slots=True)
class Restored:
    """The database was restored: what was sent between ``since`` and ``at`` nobody here knows.

    ``awaits_look``: nothing was looked for since. ``held``: it waited for a person when the backup was made.
    """

    since: datetime
    at: datetime
    awaits_look: bool = False
    held: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that is known of one action. Lists are oldest first."""

    state: State
    profile: Profile
    next_step: NextStep = NextStep.PERFORM
    next_step_at: datetime | None = None
    lease_until: datetime | None = None
    key_generation: int = 1
    result_id: str = ""
    reason: str = ""
    updates: str = ""  # the result ID of the draft that it takes on; "" when it creates one
    waits_for: tuple[str, ...] = ()  # slots of needed actions that are not far enough
    blocked_by_gate_until: datetime | None = None
    by_permit: bool = False  # an outside workflow performs it, and asks first
    held_back: Refutation | None = None  # a probe refuted what would protect it: nothing of it is sent
    restored: Restored | None = None
    attempts: Sequence[Sent] = field(default=())
    seen: Sequence[Seen] = field(default=())


def count_due_at(profile: Profile, now: datetime, *, sends: int) -> datetime | None:
    """When the target is to be counted for an action that was sent more than once: nothing can land after it."""
    if not profile.look_up or (sends < 2 and not profile.check_after_create):  # noqa: PLR2004 - more than once
        return None
    lag = profile.index_lag_s if profile.consistency == Consistency.BOUNDED else 0.0
    return now + timedelta(seconds=profile.settle_s + lag)


def settled_at(evidence: Evidence) -> datetime | None:
    """From then on a complete look that finds nothing proves absence; None when nothing can have arrived (R5)."""
    profile = evidence.profile
    lag = profile.index_lag_s if profile.consistency == Consistency.BOUNDED else 0.0
    ends = [sent.over_at for sent in evidence.attempts if sent.may_have_arrived]
    if evidence.restored is not None:  # whoever sent meanwhile held a lease that nobody here knows
        lease_s = PERMIT_LONGEST_S if evidence.by_permit else profile.lease_s
        ends.append(evidence.restored.at + timedelta(seconds=lease_s))
    return max(ends) + timedelta(seconds=profile.settle_s + lag) if ends else None


def may_have_been_sent_unknown(evidence: Evidence) -> bool:
    """The ledger was restored, and nothing was sent since: an attempt that it does not know may have arrived."""
    restored = evidence.restored
    return restored is not None and not any(sent.intended_at > restored.at for sent in evidence.attempts)


def protected_until(evidence: Evidence) -> datetime | None:
    """Until when this generation's key may be sent again, counted from its *first* send, less the margin.

    What is claimed now may leave a whole lease later, so the margin is never shorter than a lease.
    """
    profile = evidence.profile
    firsts = [
        sent.intended_at
        for sent in evidence.attempts
        if sent.key_generation == evidence.key_generation and sent.outcome != Outcome.NOT_SENT
    ]
    if profile.guard != Guard.IDEMPOTENCY_KEY or not firsts:
        return None
    if evidence.restored is not None:
        # which key was sent last, and when it was first, is known only of what was sent since the restore; and the key
        # of that may have been used before, too
        if may_have_been_sent_unknown(evidence):
            return None
        firsts.append(evidence.restored.since)
    margin = max(profile.window_margin_s, profile.lease_s)
    return min(firsts) + timedelta(seconds=max(0.0, profile.window_s - margin))


def is_protected(evidence: Evidence, now: datetime) -> bool:
    """Does the target itself make a second send harmless, now and for a lease to come (R4)?"""
    if evidence.profile.guard == Guard.CLIENT_ID:
        return True
    until = protected_until(evidence)
    return until is not None and now < until

"""What to do next for one action: evidence in, one step with its reason out. Pure: no clock, no database.

The same function serves the plan that a person reads, the resume that carries it out, and the sweep.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from once_delivery.ledger.facts import (
    Evidence,
    Seen,
    is_protected,
    may_have_been_sent_unknown,
    settled_at,
)
from once_delivery.ledger.states import NextStep, State
from once_delivery.targets.base import Outcome, Verdict
from once_delivery.targets.probing.wording import said_at, seen_sentence
from once_delivery.targets.profile import Guard


class Verb(enum.StrEnum):
    """The columns of a resume plan."""

    REUSE = "reuse"
    LOOK_UP = "look_up"
    REPLAY = "replay"
    WAIT = "wait"
    PERFORM = "perform"
    PERSON = "person"
    NOTHING = "nothing"  # superseded or cancelled


@dataclass(frozen=True, slots=True)
class Step:
    """What comes next, not before when, and why (``reason`` is a code of reasons.py)."""

    verb: Verb
    reason: str
    not_before: datetime | None = None
    params: dict[str, str] = field(default_factory=dict)


def next_step(evidence: Evidence, now: datetime) -> Step:
    """What the house does next for one action. What others perform waits for them to ask."""
    step = performers_step(evidence, now)
    if evidence.by_permit and step.verb in {Verb.PERFORM, Verb.REPLAY}:
        return Step(Verb.WAIT, "by-permit", step.not_before)
    return step


def performers_step(evidence: Evidence, now: datetime) -> Step:
    """What comes next, whoever performs. What would be sent waits while a probe's word stands against it; looking goes on."""
    step = _BY_STATE[evidence.state](evidence, now)
    if step.verb == Verb.PERFORM and evidence.restored is not None and evidence.restored.awaits_look:
        return Step(Verb.LOOK_UP, "ledger-restored")
    refuted = evidence.held_back
    if refuted is not None and step.verb in {Verb.PERFORM, Verb.REPLAY}:
        params = {"at": said_at(refuted.at), "seen": seen_sentence(refuted.seen, refuted.numbers)}
        return Step(Verb.WAIT, "guard-refuted", params=params)
    return step


def step_at_rest(state: State, result_id: str) -> Step:
    """What comes next in a final state: no other evidence matters there."""
    if state == State.CONFIRMED:
        return Step(Verb.REUSE, "confirmed-reuse", params={"result_id": result_id})
    return Step(Verb.NOTHING, f"is-{state}")


def _at_rest(evidence: Evidence, now: datetime) -> Step:
    return step_at_rest(evidence.state, evidence.result_id)


def _while_accepted(evidence: Evidence, now: datetime) -> Step:
    return Step(Verb.LOOK_UP, "job-not-finished", _later(evidence.next_step_at, now))


def _when_a_person_decides(evidence: Evidence, now: datetime) -> Step:
    return Step(Verb.PERSON, evidence.reason or "person-decides")


def _while_sending(evidence: Evidence, now: datetime) -> Step:
    if evidence.lease_until is not None and evidence.lease_until > now:
        return Step(Verb.WAIT, "being-handled", evidence.lease_until)
    return Step(Verb.LOOK_UP, "lease-expired")


def _before_sending(evidence: Evidence, now: datetime) -> Step:
    if evidence.next_step == NextStep.PERSON:
        return Step(Verb.PERSON, evidence.reason)
    if evidence.waits_for:
        return Step(Verb.WAIT, "needs-another", params={"slots": ", ".join(evidence.waits_for)})
    resting = _later(evidence.blocked_by_gate_until, now)
    if resting is not None:
        return Step(Verb.WAIT, "target-resting", resting)
    later = _later(evidence.next_step_at, now)
    if later is not None:
        return Step(Verb.WAIT, "asked-to-wait", later)
    if evidence.state == State.REFUSED:
        return Step(Verb.PERFORM, "refused-try-again")
    return _first_send(evidence)


def _first_send(evidence: Evidence) -> Step:
    if evidence.updates:
        return Step(Verb.PERFORM, "updates-original", params={"result_id": evidence.updates})
    return Step(Verb.PERFORM, "absence-proven" if evidence.attempts else "never-sent")


def _when_uncertain(evidence: Evidence, now: datetime) -> Step:
    """R4: look first; a second send only under the target's protection or with earned absence."""
    for sent in evidence.attempts:
        if sent.outcome == Outcome.DONE and sent.result_id:
            return Step(Verb.REUSE, "late-answer", params={"result_id": sent.result_id})
    unknown = may_have_been_sent_unknown(evidence)
    arrived = sum(sent.may_have_arrived for sent in evidence.attempts)
    if evidence.attempts and not arrived and not unknown:
        return _nothing_arrived(evidence)
    step = _by_guard(evidence, now)
    if unknown:
        step = _after_a_restore(evidence, step)
    if step.verb in {Verb.PERFORM, Verb.REPLAY} and arrived >= evidence.profile.attempts_max:
        return Step(Verb.PERSON, "too-many-attempts")
    key_protects = evidence.profile.guard == Guard.IDEMPOTENCY_KEY and step.verb == Verb.REPLAY
    if step.verb in {Verb.PERFORM, Verb.REPLAY} and _was_accepted(evidence) and not key_protects:
        return Step(Verb.PERSON, "job-lost")
    return step


_UNANSWERABLE = frozenset({"protection-over", "cannot-be-asked"})


def _after_a_restore(evidence: Evidence, step: Step) -> Step:
    """No answer was lost here: what the ledger does not know was done before it was restored."""
    held = evidence.restored is not None and evidence.restored.held
    if held and step.verb in {Verb.PERFORM, Verb.REPLAY}:
        return Step(Verb.PERSON, "restored-while-held")
    if step.verb == Verb.LOOK_UP:
        return Step(Verb.LOOK_UP, "ledger-restored", step.not_before)
    if step.verb == Verb.PERSON and step.reason in _UNANSWERABLE:
        return Step(Verb.PERSON, "restored-cannot-be-asked")
    return step


def _was_accepted(evidence: Evidence) -> bool:
    """The target gave a job an ID: that it is gone does not say that it was never made (and paid)."""
    return any(
        sent.outcome == Outcome.ACCEPTED and sent.key_generation == evidence.key_generation
        for sent in evidence.attempts
    )


def _nothing_arrived(evidence: Evidence) -> Step:
    """Late answers have told that the target can hold nothing of ours."""
    outcomes = {sent.outcome for sent in evidence.attempts}
    if Outcome.REFUSED in outcomes:
        return Step(Verb.PERSON, "target-refused")
    return Step(Verb.PERFORM, "not-processed" if Outcome.NOT_DONE in outcomes else "never-left")


def _by_guard(evidence: Evidence, now: datetime) -> Step:
    latest = evidence.seen[-1] if evidence.seen else None
    if evidence.profile.guard == Guard.CLIENT_ID:
        return _under_own_id(evidence, latest, now)
    if is_protected(evidence, now):
        return _under_key(evidence, latest, now)
    if not evidence.profile.look_up:
        key = evidence.profile.guard == Guard.IDEMPOTENCY_KEY
        return Step(Verb.PERSON, "protection-over" if key else "cannot-be-asked")
    if evidence.profile.guard == Guard.NONE:
        return _without_protection(latest)
    return _by_look_up(evidence, latest, now)


def _without_protection(latest: Seen | None) -> Step:
    """A look may find what was made; that it finds nothing never sends anything."""
    if latest is None:
        return Step(Verb.LOOK_UP, "look-first")
    return Step(Verb.PERSON, "no-protection")


def _under_own_id(evidence: Evidence, latest: Seen | None, now: datetime) -> Step:
    """A second create cannot make a second object: look, and when nothing is there send again at once."""
    if evidence.profile.look_up and latest is None:
        return Step(Verb.LOOK_UP, "look-first", _later(evidence.next_step_at, now))
    stuck = _out_of_patience(evidence, now)
    if stuck is not None:
        return stuck
    return Step(Verb.REPLAY, "own-id-protects", _later(evidence.next_step_at, now))


def _under_key(evidence: Evidence, latest: Seen | None, now: datetime) -> Step:
    if evidence.profile.look_up and latest is None:
        return Step(Verb.LOOK_UP, "look-first", _later(evidence.next_step_at, now))
    # whoever performs it may never come back: the house cannot send it again by itself
    stuck = _out_of_patience(evidence, now) if evidence.by_permit else None
    if stuck is not None:
        return stuck
    return Step(Verb.REPLAY, "key-protects", _later(evidence.next_step_at, now))


def _by_look_up(evidence: Evidence, latest: Seen | None, now: datetime) -> Step:
    settled = settled_at(evidence)
    if latest is not None and latest.proves_absence:
        return Step(Verb.PERFORM, "absence-proven")
    stuck = _out_of_patience(evidence, now)
    if stuck is not None:
        return stuck
    if latest is not None and latest.verdict == Verdict.ABSENT and settled is not None and settled > now:
        return Step(Verb.WAIT, "not-visible-yet", settled)
    return Step(Verb.LOOK_UP, "ask-the-target", _later(evidence.next_step_at, now))


def _out_of_patience(evidence: Evidence, now: datetime) -> Step | None:
    """A person is asked when looking has told nothing for longer than the profile's patience."""
    if not evidence.seen:
        return None
    settled = settled_at(evidence) or evidence.seen[0].looked_at
    if now < settled + timedelta(seconds=evidence.profile.patience_s):
        return None
    latest = evidence.seen[-1]
    if latest.verdict == Verdict.ABSENT:
        return Step(Verb.PERSON, "absence-cannot-be-proven")
    return Step(Verb.PERSON, "target-cannot-tell", params={"code": latest.code})


def _later(moment: datetime | None, now: datetime) -> datetime | None:
    return moment if moment is not None and moment > now else None


_BY_STATE: dict[State, Callable[[Evidence, datetime], Step]] = {
    State.PLANNED: _before_sending,
    State.SENDING: _while_sending,
    State.ACCEPTED: _while_accepted,
    State.CONFIRMED: _at_rest,
    State.UNCERTAIN: _when_uncertain,
    State.RECONCILE: _when_a_person_decides,
    State.REFUSED: _before_sending,
    State.SUPERSEDED: _at_rest,
    State.CANCELLED: _at_rest,
}

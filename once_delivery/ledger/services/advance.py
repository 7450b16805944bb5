"""After something was learnt: write down what comes next for actions that rest in uncertain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from once_delivery.ledger.clock import database_now
from once_delivery.ledger.evidence import Known, load
from once_delivery.ledger.facts import Evidence, settled_at
from once_delivery.ledger.intent.supersede import supersede_overtaken
from once_delivery.ledger.resume import Step, Verb, performers_step
from once_delivery.ledger.states import NextStep, State
from once_delivery.ledger.transitions import Actor, Move, move, reschedule
from once_delivery.targets.base import Verdict
from once_delivery.targets.profile import Profile

LONGEST_PAUSE_S = 300.0


def advance(
    action_ids: Iterable[int],
    *,
    actor: Actor,
    run_id: int | None = None,
    profiles: Mapping[int, Profile] | None = None,
    looked: bool = False,
) -> None:
    """Every uncertain action has its next step and time, is planned again (absence proven), or waits for a person.

    ``looked`` says that a look-up has just been made, so that the next one waits its turn.
    """
    now = database_now()
    moves = []
    for known in load(action_ids, profiles=profiles).values():
        if known.evidence.state != State.UNCERTAIN:
            if _is_silent(known.evidence, now):
                moves.append(_uncertain(known, now))
            elif looked:
                _rest(known, now)
            continue
        step = _houses_share(performers_step(_without_pause(known.evidence), now), known.evidence)
        one = _as_move(known, step, now)
        if one is not None:
            moves.append(one)
            continue
        reschedule(
            action_id=known.action_id,
            revision=known.revision,
            next_step=NextStep.REPLAY if step.verb == Verb.REPLAY else NextStep.LOOK_UP,
            at=_when(known, step, now, looked=looked),
            looked=looked,
        )
    moved = move(moves, actor=actor, run_id=run_id)
    back = [one.action_id for one in moves if one.to == State.PLANNED and one.action_id in moved]
    supersede_overtaken(action_ids=back, actor=actor, run_id=run_id)


def _houses_share(step: Step, evidence: Evidence) -> Step:
    """Sending again is the permit's holder's; the house looks meanwhile, and asks a person when nobody comes."""
    if evidence.by_permit and step.verb == Verb.REPLAY:
        return Step(Verb.LOOK_UP, step.reason, step.not_before)
    return step


def _is_silent(evidence: Evidence, now: datetime) -> bool:
    """A job about which the target has told nothing for longer than the profile's patience."""
    if evidence.state != State.ACCEPTED or not evidence.seen:
        return False
    told = [look.looked_at for look in evidence.seen if look.verdict != Verdict.CANNOT_TELL]
    told += [sent.over_at for sent in evidence.attempts]
    return now >= max(told) + timedelta(seconds=evidence.profile.patience_s)


def _uncertain(known: Known, now: datetime) -> Move:
    """From there it is asked once more, and then a person is."""
    return Move(
        action_id=known.action_id,
        source=State.ACCEPTED,
        to=State.UNCERTAIN,
        reason="answer-unknown",
        revision=known.revision,
        next_step=NextStep.LOOK_UP,
        next_step_at=now,
    )


def _rest(known: Known, now: datetime) -> None:
    """A look that told nothing new: a job is asked about again later, a person's case stays a person's."""
    if known.evidence.state == State.ACCEPTED:
        later = now + timedelta(seconds=pause_s(known.evidence.profile, known.look_ups))
        reschedule(
            action_id=known.action_id,
            revision=known.revision,
            next_step=NextStep.LOOK_UP,
            at=later,
            looked=True,
        )
    elif known.evidence.state == State.RECONCILE:
        reschedule(
            action_id=known.action_id, revision=known.revision, next_step=NextStep.PERSON, at=now, looked=True
        )


def _without_pause(evidence: Evidence) -> Evidence:
    """Decide by the evidence, not by the pause that the decision itself will set."""
    return replace(evidence, next_step_at=None)


def _as_move(known: Known, step: Step, now: datetime) -> Move | None:
    if step.verb == Verb.REUSE:
        return Move(
            action_id=known.action_id,
            source=State.UNCERTAIN,
            to=State.CONFIRMED,
            reason=step.reason,
            revision=known.revision,
            result_id=step.params["result_id"],
        )
    if step.verb == Verb.PERFORM:
        return Move(
            action_id=known.action_id,
            source=State.UNCERTAIN,
            to=State.PLANNED,
            reason=step.reason,
            revision=known.revision,
            next_step=NextStep.PERFORM,
            next_step_at=now,
            new_key=True,
        )
    if step.verb == Verb.PERSON:
        return Move(
            action_id=known.action_id,
            source=State.UNCERTAIN,
            to=State.RECONCILE,
            reason=step.reason,
            revision=known.revision,
            next_step=NextStep.PERSON,
            next_step_at=now,
            data=dict(step.params),
        )
    return None


def _when(known: Known, step: Step, now: datetime, *, looked: bool) -> datetime:
    """At once the first time; later with growing pauses, but exactly when absence begins to count."""
    profile = known.evidence.profile
    if step.verb == Verb.REPLAY:
        replays = len(known.evidence.attempts) - 1  # -1: of what only a restored database has forgotten
        return now + timedelta(seconds=pause_s(profile, replays) if replays > 0 else 0.0)
    if not looked:
        return now
    later = now + timedelta(seconds=pause_s(profile, known.look_ups))
    settled = settled_at(known.evidence)
    return settled if settled is not None and now < settled < later else later


def pause_s(profile: Profile, times: int) -> float:
    """The pause after ``times`` tries: doubling, up to five minutes."""
    return float(min(profile.look_up_every_s * 2 ** min(times, 10), LONGEST_PAUSE_S))

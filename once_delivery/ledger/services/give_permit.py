"""Somebody outside asks before performing an action: go, reuse, wait, look up, or stop (DESIGN 6.3).

The same decisions as for our own senders (resume.py): after a lost answer "go" comes again only under the target's own
protection or after absence that the settle rule accepts (R4, R5).
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from django.db import transaction

from once_delivery.accounts.secret_links import hash_of, new_secret
from once_delivery.ledger import permits
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.evidence import Known, load
from once_delivery.ledger.facts import PERMIT_LONGEST_S, Evidence, settled_at
from once_delivery.ledger.models import Action, ActionNeed, Condition, Permit, PermitKind, Run
from once_delivery.ledger.resume import Step, Verb, performers_step
from once_delivery.ledger.services.advance import advance
from once_delivery.ledger.services.doubt import doubt_unlooked
from once_delivery.ledger.services.expire_leases import expire_leases
from once_delivery.ledger.states import NextStep, State
from once_delivery.ledger.transitions import Actor, lock
from once_delivery.ledger.witness import Witness, witness_after
from once_delivery.targets.base import Kind
from once_delivery.targets.profile import Consistency

PREFIX = "permit_"
LEASE_LEAST_S, LEASE_MOST_S = 5.0, PERMIT_LONGEST_S
RETRIED = "target-refused"  # a job that failed is decided for itself: a second one may cost a second time


class Answer(enum.StrEnum):
    """What whoever asks is to do."""

    GO = "go"
    REUSE = "reuse"
    WAIT = "wait"
    LOOK_UP = "look_up"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Permission:
    """``secret`` is there for go and look up, until ``lease_until``. ``again_at``: when asking again makes sense.

    ``results``: for go, the IDs that the content refers to, by slot. ``witness``: where an index lags, absence counts only
    when this object of ours, made later, is seen by the same look. ``absent_counts_from``: a complete look that is asked
    for from then on can prove absence; None where none can.
    """

    answer: Answer
    reason: str
    params: Mapping[str, str] = field(default_factory=dict)
    secret: str = ""
    lease_until: datetime | None = None
    attempt_id: int | None = None
    attempt_number: int | None = None
    key_generation: int | None = None
    replay: bool = False
    results: Mapping[str, str] = field(default_factory=dict)
    again_at: datetime | None = None
    absent_counts_from: datetime | None = None
    witness: Witness | None = None


def give_permit(
    *,
    action: Action,
    run: Callable[[], Run],
    actor: Actor,
    lease_s: float | None = None,
    retry_refused: bool = True,
) -> Permission:
    """Decide, and for "go" hand the action out; it is committed before this returns, unless inside a transaction.

    ``run`` is asked for only when a permit is given. ``lease_s``: how long the holder has (5 s to an hour; the target's own otherwise). Of N who ask at once exactly one
    is told to go.
    """
    if _is_over(action):
        expire_leases(target_id=action.target_id)
    with transaction.atomic(savepoint=False):
        lock([action.pk])
        known = load([action.pk])[action.pk]
        if _awaits_look(known):
            doubt_unlooked([action.pk], actor=actor)
            known = load([action.pk])[action.pk]
        if _decides(known):  # what follows from the evidence by now is written down first
            advance([action.pk], actor=actor)
            known = load([action.pk])[action.pk]
        step = _asked(known, retry_refused=retry_refused)
        if step.verb in {Verb.PERFORM, Verb.REPLAY}:
            return _go(known, step, run(), actor, _lease(lease_s, known, step))
        if step.verb == Verb.LOOK_UP:
            return _look_up(known, step, run(), actor)
    return _without_permit(known, step)


def _is_over(action: Action) -> bool:
    """As it was read; what became of it meanwhile is seen under the lock."""
    if action.state != State.SENDING or action.lease_until is None:
        return False
    return action.lease_until < database_now()


def _awaits_look(known: Known) -> bool:
    """The database was restored, and nobody has asked the target for this one since."""
    return known.evidence.restored is not None and known.evidence.restored.awaits_look


def _decides(known: Known) -> bool:
    """Whether an uncertain action leaves this state by what is known: absence was proven, or a person's turn has come."""
    if known.evidence.state != State.UNCERTAIN:
        return False
    step = performers_step(_without_pause(known.evidence), known.read_at)
    return step.verb in {Verb.PERFORM, Verb.PERSON, Verb.REUSE}


def _without_pause(evidence: Evidence) -> Evidence:
    """The pause between looks is for the house's own, not for who asks."""
    return replace(evidence, next_step_at=None) if evidence.state == State.UNCERTAIN else evidence


def _asked(known: Known, *, retry_refused: bool) -> Step:
    evidence = known.evidence
    step = performers_step(_without_pause(evidence), known.read_at)
    if not evidence.by_permit and step.verb in {Verb.PERFORM, Verb.REPLAY, Verb.LOOK_UP}:
        return Step(Verb.WAIT, "by-the-house", evidence.next_step_at)
    refused = evidence.state == State.REFUSED and step.verb == Verb.PERSON and step.reason == RETRIED
    if refused and retry_refused and evidence.held_back is None:
        return Step(Verb.PERFORM, "refused-try-again")
    return step


def _lease(asked_s: float | None, known: Known, step: Step) -> float:
    usual = known.evidence.profile.lease_s
    if step.verb == Verb.REPLAY:  # the margin of the protection window is made for this long and no longer
        return usual
    return min(max(asked_s or usual, LEASE_LEAST_S), LEASE_MOST_S)


def _go(known: Known, step: Step, run: Run, actor: Actor, lease_s: float) -> Permission:
    secret = new_secret(PREFIX)
    taken = permits.take(
        action_id=known.action_id,
        source=known.evidence.state,
        revision=known.revision,
        run_id=run.pk,
        lease_s=lease_s,
        secret_hash=hash_of(secret),
        actor=actor,
    )
    if taken is None:  # the row is locked, so this is another's word against a rule: nobody may go
        return Permission(Answer.WAIT, "being-handled")
    return Permission(
        Answer.GO,
        step.reason,
        params=step.params,
        secret=secret,
        lease_until=taken.lease_until,
        attempt_id=taken.attempt_id,
        attempt_number=taken.number,
        key_generation=taken.key_generation,
        replay=taken.replay,
        results=_results(known) if known.has_needs else {},
    )


def _results(known: Known) -> dict[str, str]:
    needs = ActionNeed.objects.filter(action=known.action_id, condition=Condition.RESULT)
    return dict(needs.values_list("needs__slot", "needs__result_id"))


def _look_up(known: Known, step: Step, run: Run, actor: Actor) -> Permission:
    """A look needs a permit too: it tells when the look began at the earliest, by the database's clock."""
    secret = new_secret(PREFIX)
    now = database_now()
    until = now + timedelta(seconds=known.evidence.profile.lease_s)
    Permit.objects.create(
        project_id=known.project_id,
        action_id=known.action_id,
        run=run,
        kind=PermitKind.LOOK_UP,
        secret_hash=hash_of(secret),
        revision=known.revision,
        given_to=actor.name,
        given_at=now,
        lease_until=until,
    )
    return Permission(
        Answer.LOOK_UP,
        step.reason,
        params=step.params,
        secret=secret,
        lease_until=until,
        absent_counts_from=settled_at(known.evidence),
        witness=_witness(known),
    )


def _witness(known: Known) -> Witness | None:
    profile, settled = known.evidence.profile, settled_at(known.evidence)
    if profile.consistency != Consistency.BOUNDED or settled is None:
        return None
    kind = Kind(Action.objects.values_list("kind", flat=True).get(pk=known.action_id))
    return witness_after(
        settled - timedelta(seconds=profile.index_lag_s), target_id=known.target_id, kind=kind
    )


def _without_permit(known: Known, step: Step) -> Permission:
    evidence = known.evidence
    if step.verb == Verb.REUSE:
        return Permission(Answer.REUSE, step.reason, params=step.params)
    if step.verb in {Verb.PERSON, Verb.NOTHING} or step.reason == "guard-refuted":
        return Permission(Answer.STOP, step.reason, params=step.params)
    waits = step.not_before or (evidence.next_step_at if evidence.next_step != NextStep.PERSON else None)
    return Permission(
        Answer.WAIT, step.reason, params=step.params, again_at=waits, absent_counts_from=settled_at(evidence)
    )

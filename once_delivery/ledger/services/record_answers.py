"""Record what a group of requests answered: receipts, changes of state with their events, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from once_delivery.ledger import receipts
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.intent.supersede import supersede_overtaken
from once_delivery.ledger.outcomes import move_for
from once_delivery.ledger.receipts import Answered
from once_delivery.ledger.services.advance import advance
from once_delivery.ledger.services.late_truth import keep_late_truth, use_what_came_meanwhile
from once_delivery.ledger.states import State
from once_delivery.ledger.transitions import Actor, lock, move
from once_delivery.targets.base import Kind
from once_delivery.targets.profile import Profile

_MADE_NOTHING = (State.PLANNED, State.REFUSED)


@dataclass(frozen=True, slots=True)
class Recorded:
    """The actions that are confirmed by what was recorded, and the attempts whose answers came too late for that."""

    confirmed: set[int]
    late: set[UUID]


def record_answers(
    answered: Sequence[Answered], *, profile: Profile, actor: Actor, run_id: int | None = None
) -> set[int]:
    """Afterwards every answer has its receipt, and its action the state that follows; returns the IDs confirmed.

    Fenced by the attempt's token: an answer whose lease was lost meanwhile is kept as late truth (R8). May be
    called again with the same answers after a commit whose outcome is unknown.
    """
    with transaction.atomic():
        lock([claimed.action_id for claimed, _ in answered])
        written = receipts.already_written([claimed.token for claimed, _ in answered])
        new = [pair for pair in answered if pair[0].token not in written]
        return record_new(new, profile=profile, actor=actor, run_id=run_id).confirmed


def record_new(
    answered: Sequence[Answered], *, profile: Profile, actor: Actor, run_id: int | None = None
) -> Recorded:
    """As ``record_answers``, within a transaction that holds the actions and has seen that none is recorded yet."""
    now = database_now()
    moves = [move_for(claimed, answer, profile, now) for claimed, answer in answered]
    moved = move(moves, actor=actor, run_id=run_id)
    late = [pair for pair in answered if pair[0].action_id not in moved]
    tokens = {claimed.token for claimed, _ in late}
    receipts.write(answered, late=tokens)
    for claimed, answer in late:
        keep_late_truth(action_id=claimed.action_id, answer=answer, actor=actor, run_id=run_id)
    # an earlier attempt may be answered meanwhile, and a service may call about a job before it answers
    again = [
        claimed.action_id
        for claimed, _ in answered
        if (claimed.number > 1 or claimed.kind == Kind.START_JOB) and claimed.action_id in moved
    ]
    if again:
        use_what_came_meanwhile(again, actor=actor, run_id=run_id)
    back = [one.action_id for one in moves if one.to in _MADE_NOTHING and one.action_id in moved]
    supersede_overtaken(action_ids=back, actor=actor, run_id=run_id)
    unsure = [one.action_id for one in moves if one.to == State.UNCERTAIN and one.action_id in moved]
    if unsure:
        advance(unsure, actor=actor, run_id=run_id)
    confirmed = {one.action_id for one in moves if one.to == State.CONFIRMED and one.action_id in moved}
    return Recorded(confirmed, tokens)

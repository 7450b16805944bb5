"""What an answer makes of the action that it is for. Pure."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from once_delivery.ledger.claims import Claimed
from once_delivery.ledger.facts import count_due_at
from once_delivery.ledger.states import NextStep, State
from once_delivery.ledger.transitions import Move
from once_delivery.targets.base import Answer, Outcome
from once_delivery.targets.profile import Profile

FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 300.0
OUR_FAULT = frozenset({"file-missing", "payload-reference"})  # waiting makes it no better: a person is told
AT_ONCE = frozenset({"no-time-left"})  # it never had its turn: no pause


def move_for(claimed: Claimed, answer: Answer, profile: Profile, now: datetime) -> Move:
    """The change of state after ``answer``, fenced by the lease token.

    A replay's "no" says nothing about the first request, so it leaves the action uncertain.
    """
    if claimed.replay and answer.outcome in {Outcome.REFUSED, Outcome.NOT_SENT, Outcome.NOT_DONE}:
        return _uncertain(
            claimed, answer, now, "replay-not-answered", released=answer.outcome == Outcome.NOT_SENT
        )
    return _BY_OUTCOME[answer.outcome](claimed, answer, profile, now)


def _done(claimed: Claimed, answer: Answer, profile: Profile, now: datetime) -> Move:
    return _move(
        claimed,
        to=State.CONFIRMED,
        reason="answered",
        result_id=answer.result_id,
        result_url=answer.url,
        result_version=answer.version,
        # a request of ours may still be on its way: when it can no longer land, the target is counted
        check_due_at=count_due_at(profile, now, sends=claimed.number),
    )


def _accepted(claimed: Claimed, answer: Answer, profile: Profile, now: datetime) -> Move:
    return _move(
        claimed,
        to=State.ACCEPTED,
        reason="job-accepted",
        result_id=answer.result_id,
        result_url=answer.url,
        next_step=NextStep.LOOK_UP,
        next_step_at=now + timedelta(seconds=profile.look_up_every_s),
    )


def _exists(claimed: Claimed, answer: Answer, profile: Profile, now: datetime) -> Move:
    return _uncertain(claimed, answer, now, "says-exists")


def _unknown(claimed: Claimed, answer: Answer, profile: Profile, now: datetime) -> Move:
    return _uncertain(claimed, answer, now, "answer-unknown")


def _refused(claimed: Claimed, answer: Answer, profile: Profile, now: datetime) -> Move:
    return _move(
        claimed,
        to=State.REFUSED,
        reason="target-refused",
        next_step=NextStep.PERSON,
        next_step_at=now,
        new_key=True,
        data={"code": answer.code, "http_status": answer.http_status},
    )


def _not_sent(claimed: Claimed, answer: Answer, profile: Profile, now: datetime) -> Move:
    if answer.code in OUR_FAULT:
        return _move(
            claimed,
            to=State.PLANNED,
            reason=answer.code,
            next_step=NextStep.PERSON,
            next_step_at=now,
            released=True,
        )
    pause = (
        0.0
        if answer.code in AT_ONCE
        else min(FIRST_PAUSE_S * 2 ** min(claimed.number - 1, 9), LONGEST_PAUSE_S)
    )
    return _back(claimed, answer, "never-left", now + timedelta(seconds=pause), released=True)


def _not_done(claimed: Claimed, answer: Answer, profile: Profile, now: datetime) -> Move:
    pause = answer.retry_after_s
    if pause is None:
        pause = min(FIRST_PAUSE_S * 2 ** min(claimed.number - 1, 9), LONGEST_PAUSE_S)
    return _back(claimed, answer, "not-processed", now + timedelta(seconds=pause))


def _back(claimed: Claimed, answer: Answer, reason: str, at: datetime, *, released: bool = False) -> Move:
    return _move(
        claimed,
        to=State.PLANNED,
        reason=reason,
        next_step=NextStep.PERFORM,
        next_step_at=at,
        released=released,
        data={"code": answer.code},
    )


def _uncertain(
    claimed: Claimed, answer: Answer, now: datetime, reason: str, *, released: bool = False
) -> Move:
    return _move(
        claimed,
        to=State.UNCERTAIN,
        reason=reason,
        next_step=NextStep.LOOK_UP,  # advance() says more once the receipt is written
        next_step_at=now,
        released=released,
        data={"code": answer.code, "http_status": answer.http_status},
    )


def _move(claimed: Claimed, **values: Any) -> Move:
    return Move(action_id=claimed.action_id, source=State.SENDING, lease_token=claimed.token, **values)


_BY_OUTCOME: dict[Outcome, Callable[[Claimed, Answer, Profile, datetime], Move]] = {
    Outcome.DONE: _done,
    Outcome.ACCEPTED: _accepted,
    Outcome.EXISTS: _exists,
    Outcome.REFUSED: _refused,
    Outcome.NOT_SENT: _not_sent,
    Outcome.NOT_DONE: _not_done,
    Outcome.UNKNOWN: _unknown,
}

"""What a look-up makes of the action that it is for, when it shows something definite. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from once_delivery.ledger.facts import count_due_at
from once_delivery.ledger.looking import DueLook
from once_delivery.ledger.states import NextStep, State
from once_delivery.ledger.transitions import Move
from once_delivery.targets import updating
from once_delivery.targets.base import FoundObject, Look, Presence, Verdict
from once_delivery.targets.profile import Profile

JOB_FAILED = "job-failed"


def move_after(due: DueLook, look: Look, *, now: datetime, profile: Profile) -> Move | None:
    """The change of state, guarded by the revision that the look was made for; None when nothing is definite."""
    match look.verdict:
        case Verdict.FOUND:
            return _found(due, look, look.objects[0], now, profile)
        case Verdict.FOUND_MANY | Verdict.ABSENT if due.state == State.ACCEPTED:
            # a person decides from uncertain only: it is asked once more from there
            return _move(due, State.UNCERTAIN, "answer-unknown", NextStep.LOOK_UP, _later(now, profile))
        case Verdict.FOUND_MANY:
            return _person(due, "found-many", now, [found.result_id for found in look.objects])
        case Verdict.ABSENT if look.candidates:
            return _person(due, "looks-alike", now, [found.result_id for found in look.candidates])
        case Verdict.CANNOT_TELL if look.code in updating.FOR_A_PERSON:
            return _person(due, look.code, now, [found.result_id for found in look.candidates])
        case _:
            return None


def _found(due: DueLook, look: Look, found: FoundObject, now: datetime, profile: Profile) -> Move | None:
    data = {"method": look.method, "status": found.status}
    if look.code == JOB_FAILED or found.failed:
        if due.state != State.ACCEPTED:  # the job is ours and it failed: first say that it was accepted
            return _move(due, State.ACCEPTED, "found", NextStep.LOOK_UP, now, found=found, data=data)
        # under the old key the target would bring back the failed job for ever
        return _move(due, State.REFUSED, JOB_FAILED, NextStep.PERSON, now, data=data, new_key=True)
    if not found.finished:
        if due.state == State.ACCEPTED:
            return None
        return _move(
            due, State.ACCEPTED, "found", NextStep.LOOK_UP, _later(now, profile), found=found, data=data
        )
    reason = "job-finished" if due.state == State.ACCEPTED else "found"
    confirmed = _move(due, State.CONFIRMED, reason, NextStep.NONE, None, found=found, data=data)
    return replace(confirmed, check_due_at=count_due_at(profile, now, sends=due.sends))


def _version(due: DueLook, found: FoundObject | None) -> str:
    """Of a created object the look-up does not tell our own version: an editor may have been there since. It is learnt
    with its text before it is updated (``learn_versions``). Of an updated one our text was seen in this very version.
    """
    return found.version if found is not None and due.request.original is not None else ""


def _person(due: DueLook, reason: str, now: datetime, ids: list[str]) -> Move | None:
    if due.state != State.UNCERTAIN:
        return None
    return _move(due, State.RECONCILE, reason, NextStep.PERSON, now, data={"result_ids": ids})


def _later(now: datetime, profile: Profile) -> datetime:
    return now + timedelta(seconds=profile.look_up_every_s)


def _move(
    due: DueLook,
    to: State,
    reason: str,
    step: NextStep,
    at: datetime | None,
    *,
    found: FoundObject | None = None,
    data: Mapping[str, object] | None = None,
    new_key: bool = False,
) -> Move:
    return Move(
        action_id=due.action_id,
        source=due.state,
        to=to,
        reason=reason,
        revision=due.revision,
        next_step=step,
        next_step_at=at,
        result_id=found.result_id if found else "",
        result_url=found.url if found else "",
        result_version=_version(due, found),
        presence=Presence.TRASHED if found and found.trashed else Presence.PRESENT,
        data=dict(data or {}),
        new_key=new_key,
    )

"""Claim a group, send it, record what came back. The only place from where an effect leaves the house."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from django.db import InterfaceError, OperationalError, connection

from once_delivery.ledger import gate
from once_delivery.ledger.alarm import ALARM, Hold
from once_delivery.ledger.claims import ClaimUnknownError, Group, claim_group
from once_delivery.ledger.preparing import prepare
from once_delivery.ledger.sending import Prepared, send_group
from once_delivery.ledger.services.recorder import Recorder
from once_delivery.ledger.transitions import Actor
from once_delivery.targets.base import Answer, Connector, Outcome
from once_delivery.targets.profile import Profile

logger = logging.getLogger(__name__)

RECORD_FOR_S = 600.0  # how long recording is tried again while the database is away
RELEASE_FOR_S = 30.0  # the same for what was never sent
# Outcomes that say "the target did not answer properly", for the breaker
_FAILURES = frozenset({Outcome.UNKNOWN, Outcome.NOT_SENT})
# The target knows us no more: every other action would be refused as well
_SHUT_OUT = frozenset({401, 403})
_OWN_FAULT = frozenset(
    {"no-time-left", "file-missing", "payload-reference", "not-prepared", "protection-over"}
)


@dataclass(frozen=True, slots=True)
class Performed:
    """How one group went. ``released`` never had their turn within the lease."""

    claimed: int
    released: int
    seconds: float


class SendingInTransactionError(RuntimeError):
    """Sending inside a transaction would let a request leave before its intent is committed (R1)."""


def perform_group(
    *,
    target_id: int,
    profile: Profile,
    connector: Connector,
    run_id: int,
    actor: Actor,
    limit: int,
    batch_id: int | None = None,
) -> Performed | None:
    """Perform up to ``limit`` due actions of one target; None when nothing could be claimed.

    A database error during the claim is raised and nothing is sent. One during the recording is tried again:
    the requests are over by then, and what stays unrecorded becomes uncertain when its lease ends.
    """
    if connection.in_atomic_block or not connection.get_autocommit():
        raise SendingInTransactionError
    hold = ALARM.hold(profile.lease_s)
    recorder = Recorder(profile=profile, actor=actor, run_id=run_id)
    try:
        group = claim_group(
            target_id=target_id, profile=profile, run_id=run_id, actor=actor, limit=limit, batch_id=batch_id
        )
        if group is None:
            return None
        seconds = _send(group, profile, connector, hold, recorder)
    except ClaimUnknownError as error:
        # released before anything else: this may take long, and nothing can be sent any more
        ALARM.release(hold)
        _release(error.group, recorder)
        raise error.__cause__ or error from None
    finally:
        ALARM.release(hold)
    recorder.finish(for_s=RECORD_FOR_S)
    _tell_gate(target_id, group.lane, recorder.answers)
    released = sum(answer.code == "no-time-left" for answer in recorder.answers)
    return Performed(claimed=len(group.items), released=released, seconds=seconds)


def _send(group: Group, profile: Profile, connector: Connector, hold: Hold, recorder: Recorder) -> float:
    """Send the group and record answers as they come; returns how many seconds it took."""
    begun = time.monotonic()
    for ready in send_group(
        _prepare(group, profile),
        connector=connector,
        threads=group.threads,
        hold=hold,
        on_sent=lambda: ALARM.release(hold),
    ):
        recorder.take(ready)
    return time.monotonic() - begun


def _prepare(group: Group, profile: Profile) -> list[Prepared]:
    """The requests; when they cannot be built nothing has left, and that is what will be recorded."""
    try:
        return prepare(group.items, profile)
    except Exception:
        logger.exception("requests not built")
        connection.close()
        return [Prepared(one, None, why="not-prepared") for one in group.items]


def _release(group: Group, recorder: Recorder) -> None:
    """If the claim was committed after all: nothing was sent for it, and nobody need look or decide."""
    connection.close()
    recorder.take([(one, Answer(outcome=Outcome.NOT_SENT, code="claim-unknown")) for one in group.items])
    recorder.finish(for_s=RELEASE_FOR_S)
    with suppress(OperationalError, InterfaceError):
        gate.give_back_lane(holder=group.lane)


def _tell_gate(target_id: int, lane: UUID, answers: list[Answer]) -> None:
    gate.give_back_lane(holder=lane)
    theirs = [answer for answer in answers if answer.code not in _OWN_FAULT]
    waits = [answer.retry_after_s for answer in theirs if answer.retry_after_s is not None]
    failed = sum(answer.outcome in _FAILURES or answer.http_status in _SHUT_OUT for answer in theirs)
    gate.heard(
        target_id=target_id,
        answered=len(theirs) - failed,
        failed=failed,
        retry_after_s=max(waits) if waits else None,
    )

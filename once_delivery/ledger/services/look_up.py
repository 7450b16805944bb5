"""Ask the target about actions whose look-up is due."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from django.db import connection, transaction

from once_delivery.ledger import evidence, gate
from once_delivery.ledger.facts import settled_at
from once_delivery.ledger.gate import TakenLane
from once_delivery.ledger.looking import DueLook, take_due_looks
from once_delivery.ledger.services.record_checks import record_checks
from once_delivery.ledger.services.record_looks import Looked, record_looks
from once_delivery.ledger.transitions import Actor
from once_delivery.ledger.trust import trusted_look
from once_delivery.ledger.unmarked import looked_at_again, with_what_others_have
from once_delivery.ledger.witness import Witnesses
from once_delivery.targets.base import Connector, Look, Verdict
from once_delivery.targets.profile import Consistency, Profile

logger = logging.getLogger(__name__)


def look_up_due(
    *,
    target_id: int,
    profile: Profile,
    connector: Connector,
    actor: Actor,
    limit: int,
    run_id: int | None = None,
    batch_id: int | None = None,
    checks: bool = False,
) -> int:
    """Make up to ``limit`` look-ups that are due and record them; returns how many were made.

    Reads only. ``checks``: count the objects of confirmed actions instead.
    """
    taken = _take(target_id, profile, limit, batch_id, checks=checks)
    if taken is None:
        return 0
    due, lane = taken
    try:
        due = with_what_others_have(due, target_id=target_id)
        looks = looked_at_again(
            due,
            _look(due, connector, lane.threads),
            target_id=target_id,
            look=lambda again: _look(again, connector, lane.threads),
        )
    finally:
        gate.give_back_lane(holder=lane.holder)
    waits = [look.retry_after_s for look in looks if look.retry_after_s is not None]
    # what can be read need not be writable: a look-up that was answered does not close the breaker
    gate.heard(target_id=target_id, answered=0, failed=0, retry_after_s=max(waits) if waits else None)
    if checks:
        record_checks(list(zip(due, looks, strict=True)), profile=profile, actor=actor, run_id=run_id)
    else:
        looked = _with_witnesses(due, looks, target_id, profile, connector)
        record_looks(looked, profile=profile, actor=actor, run_id=run_id)
    return len(due)


def _take(
    target_id: int, profile: Profile, limit: int, batch_id: int | None, *, checks: bool
) -> tuple[list[DueLook], TakenLane] | None:
    """Due look-ups and a lane to make them in; None when there are none or the target must be left alone."""
    if connection.in_atomic_block:
        raise RuntimeError("a look-up inside a transaction")
    with transaction.atomic():
        allowed = gate.allowance(target_id=target_id, profile=profile, wanted=limit, reads=True)
        lane = gate.take_lane(target_id=target_id, profile=profile) if allowed else None
        if lane is None:
            return None
        due = take_due_looks(
            target_id=target_id, profile=profile, limit=allowed, batch_id=batch_id, checks=checks
        )
        if not due:
            transaction.set_rollback(True)
            return None
        gate.spend(target_id=target_id, profile=profile, count=len(due), reads=True)
    return due, lane


def _look(due: Sequence[DueLook], connector: Connector, threads: int) -> list[Look]:
    with ThreadPoolExecutor(max_workers=min(threads, len(due))) as pool:
        return list(pool.map(lambda one: _look_once(one, connector), due))


def _look_once(due: DueLook, connector: Connector) -> Look:
    try:
        return trusted_look(due.request, connector.look_up(due.request))
    except Exception as error:  # a fault in a connector tells nothing about the target
        logger.exception("connector failed", extra={"action": due.action_id})
        return Look(
            verdict=Verdict.CANNOT_TELL,
            method="",
            complete=False,
            code="connector-error",
            detail=type(error).__name__,
        )


def _with_witnesses(
    due: Sequence[DueLook], looks: Sequence[Look], target_id: int, profile: Profile, connector: Connector
) -> list[Looked]:
    """Where an index lags, "absent" needs a witness that was made after ours could land, asked after the look."""
    if profile.consistency != Consistency.BOUNDED:
        return [Looked(one, look) for one, look in zip(due, looks, strict=True)]
    witnesses = Witnesses(target_id=target_id, connector=connector, profile=profile)
    known = evidence.load([one.action_id for one in due])
    lag = timedelta(seconds=profile.index_lag_s)
    looked = []
    for one, look in zip(due, looks, strict=True):
        settled = settled_at(known[one.action_id].evidence)
        # an update is read by its ID, not found in an index
        witnessed = one.request.original is not None or (
            look.verdict == Verdict.ABSENT
            and settled is not None
            and one.looked_at >= settled
            and witnesses.visible_after(settled - lag, kind=one.request.kind)
        )
        looked.append(Looked(one, look, witnessed=witnessed))
    return looked

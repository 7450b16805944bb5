"""A lease that ended without a word means that the request may have arrived: uncertain (R3)."""

from __future__ import annotations

import logging
from collections import defaultdict

from django.db import connection, transaction

from once_delivery.common.errors import DomainError
from once_delivery.ledger.services.advance import advance
from once_delivery.ledger.services.late_truth import use_what_came_meanwhile
from once_delivery.ledger.states import NextStep, State
from once_delivery.ledger.transitions import Actor, Move, move

logger = logging.getLogger(__name__)
SWEEP = Actor("system:sweep")


def expire_leases(*, target_id: int | None = None, run_id: int | None = None, limit: int = 1000) -> int:
    """Afterwards no action of the target (of any target) is "sending" under a lease that is over; returns how many."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(
                """SELECT id, lease_token, clock_timestamp(), target_id FROM ledger_action
                   WHERE state = 'sending' AND lease_until < clock_timestamp()
                     AND (%(target)s::bigint IS NULL OR target_id = %(target)s)
                   ORDER BY id LIMIT %(limit)s FOR UPDATE SKIP LOCKED""",
                {"target": target_id, "limit": limit},
            )
            rows = cursor.fetchall()
        moved = move(
            [
                Move(
                    action_id=action_id,
                    source=State.SENDING,
                    to=State.UNCERTAIN,
                    reason="lease-expired",
                    lease_token=token,
                    next_step=NextStep.LOOK_UP,
                    next_step_at=now,
                )
                for action_id, token, now, _ in rows
            ],
            actor=SWEEP,
            run_id=run_id,
        )
        if moved:
            use_what_came_meanwhile(list(moved), actor=SWEEP, run_id=run_id)
            of_target: dict[int, list[int]] = defaultdict(list)
            for action_id, _, _, its_target in rows:
                if action_id in moved:
                    of_target[its_target].append(action_id)
            for action_ids in of_target.values():
                _advance(action_ids, run_id)
    return len(moved)


def _advance(action_ids: list[int], run_id: int | None) -> None:
    try:
        advance(action_ids, actor=SWEEP, run_id=run_id)
    except (
        DomainError
    ) as error:  # one target's bad settings must not stop the others; a look-up is due already
        logger.warning("target not usable: %s", error.code, extra={"actions": action_ids[:10]})

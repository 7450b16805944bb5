"""A lease that ended without a word means that the request may have arrived: uncertain (R3)."""

from __future__ import annotations

from django.db import connection, transaction

from once_delivery.ledger.services.advance import advance
from once_delivery.ledger.services.late_truth import use_what_came_meanwhile
from once_delivery.ledger.states import NextStep, State
from once_delivery.ledger.transitions import Actor, Move, move

SWEEP = Actor("system:sweep")


def expire_leases(*, target_id: int | None = None, run_id: int | None = None, limit: int = 1000) -> int:
    """Afterwards no action of the target (of any target) is "sending" under a lease that is over; returns how many."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(
                """SELECT id, lease_token, clock_timestamp() FROM ledger_action
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
                for action_id, token, now in rows
            ],
            actor=SWEEP,
            run_id=run_id,
        )
        if moved:
            use_what_came_meanwhile(list(moved), actor=SWEEP, run_id=run_id)
            advance(moved, actor=SWEEP, run_id=run_id)
    return len(moved)

"""One round over everything that is due, a thread a target, so that a slow target holds up no other."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor

from django.db import connection

from once_delivery.common.errors import DomainError
from once_delivery.ledger.services.close_dead_runs import close_dead_runs
from once_delivery.ledger.services.expire_leases import expire_leases
from once_delivery.ledger.services.work_target import Worked, work_target
from once_delivery.ledger.transitions import Actor

logger = logging.getLogger(__name__)
MOST_TARGETS = 8


def due_targets() -> list[int]:
    """The targets that have something due now, longest waiting first. Found without any message (R12).

    What a drill works on by itself is left to it.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT target_id FROM (
                   SELECT target_id, min(next_step_at) AS since FROM ledger_action
                   WHERE next_step IN ('perform', 'replay', 'look_up') AND next_step_at <= clock_timestamp()
                   GROUP BY target_id
                   UNION ALL
                   SELECT target_id, min(check_due_at) FROM ledger_action
                   WHERE check_due_at <= clock_timestamp() GROUP BY target_id
               ) due
               JOIN targets_target t ON t.id = due.target_id AND NOT t.by_hand
               GROUP BY target_id ORDER BY min(since)"""
        )
        return [row[0] for row in cursor.fetchall()]


def work_all(*, actor: Actor, budget_s: float = 20.0) -> Worked:
    """Afterwards everything that was due has been worked on, within ``budget_s`` a target."""
    total = Worked(expired=expire_leases())
    close_dead_runs()
    targets = due_targets()
    if not targets:
        return total
    with ThreadPoolExecutor(max_workers=min(MOST_TARGETS, len(targets))) as pool:
        for done in pool.map(lambda target_id: _work_in_thread(target_id, actor, budget_s), targets):
            total.looked += done.looked
            total.performed += done.performed
            total.checked += done.checked
    return total


def _work_in_thread(target_id: int, actor: Actor, budget_s: float) -> Worked:
    try:
        return work_target(target_id=target_id, actor=actor, budget_s=budget_s)
    except DomainError as error:  # one target's bad settings must not stop the others
        logger.warning("target not usable: %s", error.code, extra={"target": target_id})
        return Worked()
    finally:
        connection.close()

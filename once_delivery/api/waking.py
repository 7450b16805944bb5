"""Waking a worker. A message that cannot be sent delays the work and loses none (R12)."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from kombu.exceptions import OperationalError

from once_delivery.ledger import tasks
from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.states import NextStep

logger = logging.getLogger(__name__)


def wake_targets(task_ids: Sequence[int]) -> None:
    """There is work at the targets of these tasks."""
    due = Action.objects.filter(task__in=list(set(task_ids)), next_step=NextStep.PERFORM)
    try:
        for target_id in due.order_by().values_list("target_id", flat=True).distinct():
            tasks.work_target.delay(target_id)
    except OperationalError:
        logger.warning("worker not woken", exc_info=True)


def wake_batch(batch: Batch) -> None:
    """A resume is asked for."""
    try:
        tasks.resume_batch.delay(batch.pk)
    except OperationalError:
        logger.warning("worker not woken", exc_info=True)

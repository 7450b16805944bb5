"""By night each project's old content is forgotten, a part at a time."""

from __future__ import annotations

import logging
from datetime import datetime

from once_delivery.ledger.clock import database_now
from once_delivery.ledger.night import night_of
from once_delivery.retention.models import ForgettingRule
from once_delivery.retention.rules import rules_that_forget
from once_delivery.retention.services.forget import forget

TASKS_AT_ONCE = 2_000  # so that a message is done long before the broker gives it to somebody else
logger = logging.getLogger(__name__)


def forget_by_night(*, now: datetime | None = None) -> int:
    """Afterwards a part of what is due tonight was forgotten; returns how many tasks. By day nothing is."""
    begun = night_of(now or database_now())
    if begun is None:
        return 0
    for rule in rules_that_forget():
        if rule.after_days is None or (rule.ran_at is not None and rule.ran_at >= begun):
            continue
        done, whole = forget(project=rule.project, after_days=rule.after_days, most=TASKS_AT_ONCE)
        logger.info("content was forgotten", extra={"project": rule.project.code, **done})
        if whole:
            ForgettingRule.objects.filter(pk=rule.pk).update(ran_at=database_now())
        return done["tasks"]
    return 0

"""The cause of what attempts cost, as the facts say now."""

from __future__ import annotations

from collections.abc import Iterable

from billing.facts import facts_of
from billing.fault import cause_of
from billing.models import Cause
from billing.suppliers.uses import Used


def causes_of(used: Iterable[Used]) -> dict[int, Cause]:
    """Attempt → cause, for the attempts of ``used``."""
    wanted = {one.attempt_id: one.task_id for one in used}
    facts = facts_of(set(wanted.values())) if wanted else {}
    return {
        send.attempt_id: cause_of(send, task)
        for task in facts.values()
        for send in task.sends
        if send.attempt_id in wanted
    }

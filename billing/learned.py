"""Which answers accounting has taken over: what they said about usage is kept here from then on."""

from __future__ import annotations

from collections.abc import Sequence

from billing.models import Usage
from once_delivery.ledger.models import Receipt


def in_the_books(task_ids: Sequence[int]) -> list[int]:
    """Of these tasks' receipts, those whose usage stands in the books."""
    told = Receipt.objects.filter(action__task__in=task_ids).exclude(usage={})
    keys = {f"receipt:{pk}": pk for pk in told.values_list("pk", flat=True)}
    learned = Usage.objects.filter(task__in=task_ids, source_key__in=keys)
    return [keys[key] for key in learned.values_list("source_key", flat=True)]

"""Remember which text a person has looked at."""

from __future__ import annotations

from django.db import transaction

from once_delivery.accounts.models import User
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Task
from once_delivery.review.drafts import lock_draft
from once_delivery.review.models import Draft, Seen


def note_seen(*, task: Task, user: User, draft: Draft) -> Draft | None:
    """Afterwards ``draft`` is the text of ``task`` that ``user`` saw last; gives the one before, if any."""
    with transaction.atomic():
        lock_draft(task.pk)
        before = Seen.objects.filter(task=task, user=user).select_related("draft").first()
        values = {"project_id": task.project_id, "draft": draft, "at": database_now()}
        Seen.objects.update_or_create(task=task, user=user, defaults=values)
    return before.draft if before else None

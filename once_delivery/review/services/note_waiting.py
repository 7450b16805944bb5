"""Keep in mind which drafts wait for a decision, so that counting them costs nothing however many there are."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from once_delivery.ledger.models import Action, Task
from once_delivery.review.models import ToReview
from once_delivery.review.waiting import waits


def note_waiting(*, action: Action, since: datetime) -> None:
    """Afterwards ``action`` is among what waits exactly when it does; ``since`` when it has begun just now."""
    with transaction.atomic():
        Task.objects.select_for_update().get(pk=action.task_id)  # one at a time: the last one sees it all
        if waits(action.pk):
            ToReview.objects.get_or_create(
                action=action, defaults={"project_id": action.project_id, "since": since}
            )
        else:
            ToReview.objects.filter(action=action).delete()

"""What was read of drafts, and what people wrote about them, is emptied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.db import transaction

from once_delivery.review.models import Comment, Draft, Review, Revocation, VisibleDraft


def forget_words(*, task_ids: Sequence[int]) -> Counter[str]:
    """Afterwards no text of these tasks can be read here; returns how many rows changed.

    Hashes, decisions, reasons by their names, people and times stay, and so do the assets.
    """
    with transaction.atomic():
        # before the drafts' own rows, as everybody does (review/drafts.py)
        locked = VisibleDraft.objects.select_for_update(no_key=True).filter(pk__in=task_ids)
        list(locked.order_by("pk").values_list("pk", flat=True))
        drafts = Draft.objects.filter(action__task__in=task_ids).exclude(content={})
        words = [
            Review.objects.filter(task__in=task_ids).exclude(text="").update(text=""),
            Comment.objects.filter(task__in=task_ids).exclude(text="").update(text=""),
            Revocation.objects.filter(asset__task__in=task_ids).exclude(words="").update(words=""),
        ]
        return Counter({"drafts": drafts.update(content={}), "words": sum(words)})

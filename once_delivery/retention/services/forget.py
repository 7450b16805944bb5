"""A project's content is forgotten as its rule says, in small transactions that may be cut off at any moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from billing.learned import in_the_books
from once_delivery.accounts.models import Project
from once_delivery.intake.services.forget_uploads import forget_uploads
from once_delivery.ledger.services.forget_content import forget_content, hold_free
from once_delivery.ledger.services.forget_rest import forget_briefs, forget_files
from once_delivery.notices.services.forget_messages import forget_messages
from once_delivery.retention.amounts import moment_before
from once_delivery.retention.due import due_tasks
from once_delivery.review.services.forget_words import forget_words
from reconciliation.services.forget_words import forget_strangers
from reconciliation.services.forget_words import forget_words as forget_words_of_cases

AT_ONCE = 200


def forget(*, project: Project, after_days: int, most: int | None = None) -> tuple[Counter[str], bool]:
    """Afterwards what is final and older than so many days is a tombstone: recognised, and without content.

    At most ``most`` tasks, and not one more; returns how many rows of what were emptied, and whether it came to the end. What a
    worker holds just now is left to the next time; a second run changes nothing.
    """
    before = moment_before(after_days)
    done: Counter[str] = Counter()
    last = 0
    while most is None or done["tasks"] < most:
        ids = list(
            due_tasks(project, before=before)
            .filter(pk__gt=last)
            .order_by("pk")
            .values_list("pk", flat=True)[: AT_ONCE if most is None else min(AT_ONCE, most - done["tasks"])]
        )
        if not ids:
            break
        done += _group(project, ids, before=before, after_days=after_days)
        last = ids[-1]
    else:
        return done, False
    done["briefs"] += forget_briefs(project=project, before=before)
    done["files"] += forget_files(project=project, before=before)
    done["uploads"] += forget_uploads(project=project, before=before)
    done["messages"] += forget_messages(project=project, before=before)
    done["words"] += forget_strangers(project=project, before=before)
    return +done, True


def _group(project: Project, ids: Sequence[int], *, before: datetime, after_days: int) -> Counter[str]:
    """One transaction. What has happened between the question and the lock is asked for once more under the lock."""
    with transaction.atomic():
        free = hold_free(ids)
        still = list(due_tasks(project, before=before).filter(pk__in=free).values_list("pk", flat=True))
        if not still:
            return Counter()
        done = forget_content(task_ids=still, after_days=after_days, in_the_books=in_the_books(still))
        done += forget_words(task_ids=still)
        done += forget_words_of_cases(task_ids=still)
    return done

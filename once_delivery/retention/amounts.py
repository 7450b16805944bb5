"""How much there is to forget, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef

from once_delivery.accounts.models import Project
from once_delivery.intake.services.forget_uploads import old_uploads
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import InputVersion, Task
from once_delivery.ledger.services.forget_rest import old_files
from once_delivery.notices.services.forget_messages import old_messages
from once_delivery.retention.due import due_tasks, kept_back
from once_delivery.review.models import TO_DO, Draft, VisibleDraft
from reconciliation.services.forget_words import named_strangers, old_lists

EMPTIED = ("tasks", "drafts", "briefs", "files", "uploads", "messages", "lists", "strangers")


@dataclass(frozen=True, slots=True)
class Amounts:
    """What forgetting after so many days would empty now.

    ``lists``: audits whose lists of objects would go; ``strangers``: findings about objects that are no task's.
    ``unreviewed``: of the tasks, those nobody has decided about.
    """

    tasks: int
    drafts: int
    briefs: int
    files: int
    uploads: int
    messages: int
    lists: int
    strangers: int
    unreviewed: int
    kept_back: int

    @property
    def nothing(self) -> bool:
        return not any(getattr(self, name) for name in EMPTIED)


def moment_before(after_days: int) -> datetime:
    """What happened last before this moment is older than so many days."""
    return database_now() - timedelta(days=after_days)


def amounts_of(*, project: Project, after_days: int) -> Amounts:
    """Counted, nothing is changed."""
    before = moment_before(after_days)
    due = due_tasks(project, before=before)
    ids = due.values("pk")
    stays = Task.objects.filter(input_version=OuterRef("pk"), forgotten__isnull=True).exclude(pk__in=ids)
    versions = InputVersion.objects.filter(project=project, created_at__lt=before).exclude(content={})
    return Amounts(
        tasks=due.count(),
        drafts=Draft.objects.filter(action__task__in=ids).exclude(content={}).count(),
        briefs=versions.filter(~Exists(stays), tasks__isnull=False).distinct().count(),
        files=old_files(project=project, before=before, but_of_tasks=ids).count(),
        uploads=old_uploads(project=project, before=before).count(),
        messages=old_messages(project=project, before=before).count(),
        lists=old_lists(project=project, before=before).values("audit").distinct().count(),
        strangers=named_strangers(project=project, before=before),
        unreviewed=VisibleDraft.objects.filter(task__in=ids, state__in=TO_DO).count(),
        kept_back=kept_back(project, before=before).count(),
    )

"""Batch files of long ago go: what was imported of them is in the ledger, with the file's name and hash at its batch."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from once_delivery.accounts.models import Project
from once_delivery.intake.models import Upload


def old_uploads(*, project: Project, before: datetime) -> QuerySet[Upload]:
    """Files that came before then and were not imported since."""
    return Upload.objects.filter(project=project, created_at__lt=before).exclude(applied_at__gte=before)


def forget_uploads(*, project: Project, before: datetime) -> int:
    """Afterwards they are gone, with the pictures beside them; returns how many files went."""
    found = old_uploads(project=project, before=before)
    return found.delete()[1].get("intake.Upload", 0)

"""Messages of long ago leave the outbox."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from once_delivery.accounts.models import Project
from once_delivery.notices.models import Message


def old_messages(*, project: Project, before: datetime) -> QuerySet[Message]:
    """Messages that are over and came before then."""
    return Message.objects.filter(project=project, created_at__lt=before, next_try_at=None)


def forget_messages(*, project: Project, before: datetime) -> int:
    """Afterwards none that was sent or given up before then is left; returns how many went. Emptied ones would be sent
    again empty, and they are evidence of nothing."""
    gone, _ = old_messages(project=project, before=before).delete()
    return gone

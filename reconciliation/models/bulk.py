"""Many cases decided alike: planned first, then carried out one by one."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from once_delivery.accounts.models import Project


class BulkStatus(models.TextChoices):
    PLANNED = "planned", pgettext_lazy("bulk", "planned")
    RUNNING = "running", pgettext_lazy("bulk", "running")
    DONE = "done", pgettext_lazy("bulk", "done")
    CANCELLED = "cancelled", pgettext_lazy("bulk", "cancelled")


class BulkDecision(models.Model):
    """``items``: for each case its UUID, the revision that was planned for, and what became of it.

    ``excluded``: what was chosen and does not fit, each with its UUID and the code of why.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="bulk_decisions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    decision = models.CharField(_("decision"), max_length=20)
    status = models.CharField(
        _("status"), max_length=10, choices=BulkStatus.choices, default=BulkStatus.PLANNED
    )
    items = models.JSONField(default=list)
    excluded = models.JSONField(default=list)
    done = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    began_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.decision} {self.status}"

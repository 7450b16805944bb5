"""A drill that was run, with its report. A report is written once."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project


class DrillStatus(models.TextChoices):
    ASKED = "asked", _("asked for")
    RUNNING = "running", _("running")
    PASSED = "passed", _("passed")
    FAILED = "failed", _("failed")
    BROKEN = "broken", _("could not be run")


class Drill(models.Model):
    """One acceptance drill of one project against one kind of target."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="drills")
    status = models.CharField(
        _("verdict"), max_length=10, choices=DrillStatus.choices, default=DrillStatus.RUNNING
    )
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    started_at = models.DateTimeField(_("started at"), auto_now_add=True)
    finished_at = models.DateTimeField(_("finished at"), null=True)
    options = models.JSONField(default=dict)  # what was asked for: {"target", "locales", "guards"}
    report = models.JSONField(_("report"), default=dict)  # grows round by round while it runs
    trouble = models.JSONField(default=dict)  # why it could not be run: {"why", "params"} of wording.py
    woken_at = models.DateTimeField(null=True)  # when a worker was last told of it

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(status__in=DrillStatus.values), name="drill_status_is_known"),
            models.UniqueConstraint(
                fields=["project"], condition=Q(status="asked"), name="drill_one_asked_a_project"
            ),
        ]
        indexes = [models.Index(fields=["project", "-started_at"], name="drill_of_project")]

    def __str__(self) -> str:
        return f"drill {self.uuid}"

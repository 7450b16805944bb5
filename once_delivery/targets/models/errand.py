"""What a person asked to be done at a target, and how far it is: a row that outlives the page and the message."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import User
from once_delivery.targets.models.target import Target


class ErrandKind(models.TextChoices):
    CHECK = "check", _("connection test")
    PROBE = "probe", _("probe")
    AUDIT = "audit", _("audit")


class ErrandStatus(models.TextChoices):
    ASKED = "asked", _("asked for")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("not done")


class Errand(models.Model):
    """One connection test, probe or audit. ``result`` of a test: its lines. ``trouble``: code, template and values of
    the error that ended it."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="errands")
    kind = models.CharField(max_length=10, choices=ErrandKind.choices)
    options = models.JSONField(default=dict)
    status = models.CharField(max_length=10, choices=ErrandStatus.choices, default=ErrandStatus.ASKED)
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    asked_at = models.DateTimeField()
    woken_at = models.DateTimeField()  # when a worker was last told of it
    taken_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    result = models.JSONField(default=list)
    trouble = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["target", "kind"],
                condition=Q(status__in=["asked", "running"]),
                name="errand_one_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(status__in=ErrandStatus.values), name="errand_status_is_known"
            ),
            models.CheckConstraint(condition=Q(kind__in=ErrandKind.values), name="errand_kind_is_known"),
        ]
        indexes = [
            models.Index(fields=["target", "kind", "-asked_at"], name="errand_newest"),
            models.Index(
                fields=["status"], condition=Q(status__in=["asked", "running"]), name="errand_not_over"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.uuid}"

    @property
    def is_over(self) -> bool:
        return self.status in {ErrandStatus.DONE, ErrandStatus.FAILED}

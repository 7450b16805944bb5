"""One software execution that touched actions. A run's colour says nothing about deliveries."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from once_delivery.ledger.models.deliveries import Batch, Task


class RunKind(models.TextChoices):
    FIRST = "first", _("first try")
    RESUME = "resume", _("resume")
    WORKER = "worker", _("worker")
    LOOK_UP = "look_up", _("look-up")
    AUDIT = "audit", _("audit")
    OUTSIDE = "outside", _("outside workflow")


class RunStatus(models.TextChoices):
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")
    FAILED = "failed", _("failed")


class Run(models.Model):
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="runs")
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, null=True, related_name="runs")
    kind = models.CharField(_("kind"), max_length=10, choices=RunKind.choices)
    external_id = models.CharField(_("outside execution ID"), max_length=200, blank=True)
    status = models.CharField(
        _("status"), max_length=10, choices=RunStatus.choices, default=RunStatus.RUNNING
    )
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    process = models.CharField(_("process"), max_length=100)
    started_at = models.DateTimeField(_("started at"), auto_now_add=True)
    finished_at = models.DateTimeField(_("finished at"), null=True)
    summary = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "external_id"],
                condition=Q(kind=RunKind.OUTSIDE) & ~Q(external_id=""),
                name="run_outside_once",
            )
        ]
        indexes = [
            models.Index(
                fields=["project", "external_id"],
                opclasses=["int8_ops", "varchar_pattern_ops"],
                name="run_by_outside_execution",
                condition=~Q(external_id=""),
            ),
            models.Index(fields=["batch", "-started_at"], name="run_of_batch"),
            models.Index(
                fields=["started_at"], name="run_still_running", condition=Q(status=RunStatus.RUNNING)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.uuid}"


class RunTask(models.Model):
    """An outside execution asked for this task."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="asked", db_index=False)
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="asked_by")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "task"], name="run_asks_once_for_a_task")]

    def __str__(self) -> str:
        return f"{self.run_id} → {self.task_id}"

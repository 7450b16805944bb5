"""What was asked for: batches and the tasks they refer to."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from once_delivery.ledger.models.content import InputVersion, Product


class Task(models.Model):
    """One deliverable: project x product x locale x purpose x input version. The identity never changes."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="tasks")
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="tasks", db_index=False)
    locale = models.CharField(_("locale"), max_length=35)
    purpose = models.CharField(_("purpose"), max_length=100)
    input_version = models.ForeignKey(InputVersion, on_delete=models.PROTECT, related_name="tasks")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["product", "locale", "purpose", "input_version"], name="task_once_an_identity"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.product.code} › {self.locale} › {self.purpose} › v{self.input_version.number}"


class Batch(models.Model):
    """Tasks that were asked for together."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="batches")
    name = models.CharField(_("name"), max_length=200)
    source_name = models.CharField(_("file"), max_length=255, blank=True)
    source_sha256 = models.CharField(max_length=64, blank=True)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    tasks = models.ManyToManyField(Task, through="BatchTask", related_name="batches")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="batch_name_once_a_project")]

    def __str__(self) -> str:
        return self.name


class BatchTask(models.Model):
    """A batch refers to a task. ``repeats`` counts how often it was asked for again and made nothing new."""

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="references", db_index=False)
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="references", db_index=False)
    existed = models.BooleanField(_("task existed already"))
    repeats = models.PositiveIntegerField(_("suppressed repeats"), default=0)
    position = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["batch", "task"], name="batch_refers_once_to_a_task")]
        # from an action to its batches without reading a row
        indexes = [models.Index(fields=["task", "batch"], name="batchtask_of_task")]

    def __str__(self) -> str:
        return f"{self.batch_id} → {self.task_id}"

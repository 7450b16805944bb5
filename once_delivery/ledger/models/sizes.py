"""How much there is, counted as it is asked for: pages need not count a million rows to say so.

PostgreSQL keeps the rows (ledger/sql/sizes.sql), whoever asks. Only asking changes them: performing does not, since an
action is never deleted.
"""

from __future__ import annotations

from django.db import models

from once_delivery.accounts.models import Project
from once_delivery.ledger.models.deliveries import Batch


class ProjectSize(models.Model):
    """The actions of a project."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, primary_key=True, related_name="+")
    actions = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.project_id}: {self.actions}"


class BatchSize(models.Model):
    """The tasks that a batch refers to, and their actions."""

    batch = models.OneToOneField(Batch, on_delete=models.CASCADE, primary_key=True, related_name="size")
    tasks = models.PositiveIntegerField(default=0)
    actions = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.batch_id}: {self.tasks}, {self.actions}"

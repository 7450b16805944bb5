"""Tasks whose content was forgotten: what stays is a tombstone by which a later request is recognised (DESIGN section 10)."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from once_delivery.ledger.models.deliveries import Task


class Forgotten(models.Model):
    """``after_days``: the project's rule at that moment. Forgotten once more when something new has come and is old."""

    task = models.OneToOneField(Task, on_delete=models.PROTECT, primary_key=True, related_name="forgotten")
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    after_days = models.PositiveIntegerField(_("after days"))
    at = models.DateTimeField(_("forgotten at"))

    def __str__(self) -> str:
        return f"{self.task_id} {self.at}"

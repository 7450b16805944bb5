"""Changes of state that outside programs are to be told: written with the change, deleted when they are in the outbox."""

from __future__ import annotations

from django.db import models

from once_delivery.accounts.models import Project
from once_delivery.ledger.models.action import Action


class News(models.Model):
    """``event`` is one of the ``delivery.…`` events of the notices; written by ledger/transitions.py alone."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+", db_index=False)
    action = models.ForeignKey(Action, on_delete=models.CASCADE, related_name="+", db_index=False)
    event = models.CharField(max_length=40)
    revision = models.PositiveIntegerField()
    reason = models.CharField(max_length=60)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.event} {self.action_id}"

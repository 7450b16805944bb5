"""That something which should happen every few seconds does."""

from __future__ import annotations

from django.db import models


class Heartbeat(models.Model):
    """The last time a periodic job ran: one row a job."""

    name = models.CharField(max_length=50, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.at}"

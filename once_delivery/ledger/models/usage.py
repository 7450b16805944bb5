"""What an attempt used and cost, told apart from its answer. Append-only, enforced by PostgreSQL (R10)."""

from __future__ import annotations

from django.db import models

from once_delivery.accounts.models import Project
from once_delivery.ledger.models.action import Action
from once_delivery.ledger.models.evidence import Attempt


class UsageReport(models.Model):
    """``usage`` has the shape of ``Receipt.usage`` (targets/jobs/usage.py). The same told again adds no row."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    attempt = models.ForeignKey(
        Attempt, on_delete=models.PROTECT, related_name="usage_reports", db_index=False
    )
    action = models.ForeignKey(Action, on_delete=models.PROTECT, related_name="usage_reports")
    usage = models.JSONField()
    fingerprint = models.CharField(max_length=64)
    reported_by = models.CharField(max_length=150)
    reported_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["attempt", "fingerprint"], name="usage_told_once_an_attempt")
        ]

    def __str__(self) -> str:
        return f"{self.attempt_id}: {self.usage.get('provider', '')}"

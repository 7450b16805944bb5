"""What holds senders back at one target: lanes (concurrency), rate, Retry-After and the breaker."""

from __future__ import annotations

from django.db import models

from once_delivery.targets.models import Target


class Gate(models.Model):
    """One row a target, locked for a moment when a group is claimed."""

    target = models.OneToOneField(Target, on_delete=models.CASCADE, related_name="gate")
    not_before = models.DateTimeField(null=True)  # Retry-After of the whole target
    failures = models.PositiveIntegerField(default=0)  # in a row
    open_until = models.DateTimeField(null=True)  # the breaker: nothing is sent before
    opened = models.PositiveIntegerField(default=0)  # times in a row; doubles the pause
    tokens = models.FloatField(default=0.0)
    tokens_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"gate {self.target_id}"


class Lane(models.Model):
    """A share of a target's concurrency; one process holds it while it sends a group."""

    target = models.ForeignKey(Target, on_delete=models.CASCADE, related_name="lanes")
    index = models.PositiveSmallIntegerField()
    holder = models.UUIDField(null=True)
    held_until = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["target", "index"], name="lane_once_a_target")]

    def __str__(self) -> str:
        return f"lane {self.target_id}/{self.index}"

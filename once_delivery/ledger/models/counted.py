"""What came back, counted as it is written down: pages and ``/metrics`` need not read the evidence of a week to say so.

PostgreSQL writes a row for each statement that adds evidence (ledger/sql/counted.sql): nobody waits for another's
counter. ``services/gather_counts.py`` adds them up. A figure is the sum of what is gathered and what is not yet.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from once_delivery.targets.models import Target

ATTEMPTS, LOOK_UPS, RESOLVED = "attempts", "look_ups", "resolved"
# until when a resolution counts as that fast, in seconds: the borders of the histogram
RESOLVED_WITHIN = (60, 300, 900, 3_600, 14_400, 86_400, 259_200)
NEVER_BEFORE = "+Inf"


class Counted(models.Model):
    """``many`` of ``name`` with ``label``: an outcome, a verdict, or the seconds within which something was resolved.

    ``target`` and ``hour``: of answers, the target and the hour in which they came. Gathered, a row without them has
    all of them since the ledger began, one with them those of that hour; the latter are kept for a week.
    """

    name = models.CharField(max_length=10)
    label = models.CharField(max_length=12)
    target = models.ForeignKey(
        Target, on_delete=models.CASCADE, null=True, related_name="+", db_index=False, db_constraint=False
    )
    hour = models.DateTimeField(null=True)
    many = models.BigIntegerField()
    seconds = models.FloatField(default=0)  # how long they took together
    latest = models.DateTimeField(null=True)
    gathered = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["target", "hour", "name", "label"],
                condition=Q(gathered=True),
                nulls_distinct=False,
                name="counted_once_gathered",
            )
        ]
        indexes = [models.Index("id", name="counted_to_gather", condition=Q(gathered=False))]

    def __str__(self) -> str:
        return f"{self.name} {self.label}: {self.many}"

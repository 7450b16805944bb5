"""What the entries of the two ledgers come to, kept by PostgreSQL beside them (billing/sql/sums.sql), never written here.

A page that shows a project's totals need not read every entry; ``verify_costs`` adds them up anew.
"""

from __future__ import annotations

from django.db import models

from billing.models.choices import Bearer, Bucket, Cause, EntryKind, Grade, SubBucket
from once_delivery.accounts.models import Project


class CostSum(models.Model):
    """The entries of one project that are alike in everything that totals are split by, but for their tasks."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    posted_period = models.DateField()
    origin_period = models.DateField()
    correction = models.BooleanField()
    kind = models.CharField(max_length=16, choices=EntryKind.choices)
    bucket = models.CharField(max_length=1, choices=Bucket.choices)
    sub_bucket = models.CharField(max_length=14, choices=SubBucket.choices)
    cause = models.CharField(max_length=24, choices=Cause.choices)
    bearer = models.CharField(max_length=12, choices=Bearer.choices)
    grade = models.CharField(max_length=1, choices=Grade.choices)
    amount = models.DecimalField(max_digits=24, decimal_places=6)
    tax_memo = models.DecimalField(max_digits=24, decimal_places=6)
    entries = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=[
                    "project", "posted_period", "origin_period", "correction", "kind", "bucket", "sub_bucket",
                    "cause", "bearer", "grade",
                ],
                name="cost_sum_once",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.posted_period} {self.sub_bucket} {self.amount}"


class UnitSum(models.Model):
    """The units of one project by their two months."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    posted_period = models.DateField()
    origin_period = models.DateField()
    sign = models.BigIntegerField()  # what the signs sum to
    entries = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "posted_period", "origin_period"], name="unit_sum_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.posted_period} {self.sign:+d}"

"""The ledger of units, the denominator: accepted, not duplicate. Nothing else changes it."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from once_delivery.review.models import Asset
from reconciliation.models import Approval


class UnitReason(models.TextChoices):
    ACCEPTED = "accepted", _("accepted")
    DUPLICATE_FOUND = "duplicate_found", _("found to be a duplicate")
    ACCEPTANCE_REVOKED = "acceptance_revoked", _("acceptance taken back")
    SURVIVOR_PROMOTED = "survivor_promoted", _("counts in another's place")


class UnitEntry(models.Model):
    """+1 or −1 for one asset; an asset's entries always sum to 0 or 1 (I9)."""

    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="unit_entries", db_index=False
    )
    seq = models.BigIntegerField(editable=False, default=0)
    sign = models.SmallIntegerField(_("units"))
    reason = models.CharField(_("why"), max_length=18, choices=UnitReason.choices)
    asset = models.ForeignKey(Asset, on_delete=models.PROTECT, related_name="unit_entries")
    survivor = models.ForeignKey(Asset, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    posted_period = models.DateField(_("posted in"))
    origin_period = models.DateField(_("belongs to"))
    correction = models.BooleanField(default=False, editable=False)
    approval = models.ForeignKey(
        Approval, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    source_key = models.CharField(max_length=200, blank=True)
    evidence = models.JSONField(default=dict)
    actor = models.CharField(_("by"), max_length=150)
    created_at = models.DateTimeField(auto_now_add=True)
    prev_hash = models.CharField(max_length=64, editable=False, default="")
    hash = models.CharField(max_length=64, editable=False, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "seq"], name="unit_entry_seq_once_a_project"),
            models.UniqueConstraint(
                fields=["project", "source_key"], condition=~Q(source_key=""), name="unit_entry_once_a_source"
            ),
            models.CheckConstraint(
                condition=Q(sign=1, reason__in=["accepted", "survivor_promoted"])
                | Q(sign=-1, reason__in=["duplicate_found", "acceptance_revoked"]),
                name="unit_entry_sign_of_reason",
            ),
            models.CheckConstraint(
                condition=Q(posted_period__gte=F("origin_period")), name="unit_entry_posted_after_origin"
            ),
            models.CheckConstraint(
                condition=Q(posted_period__day=1, origin_period__day=1), name="unit_entry_periods_are_months"
            ),
        ]
        indexes = [
            models.Index(fields=["project", "posted_period"], name="unit_by_posted_month"),
            models.Index(fields=["project", "origin_period"], name="unit_by_origin_month"),
        ]

    def __str__(self) -> str:
        return f"{self.sign:+d} {self.reason}"

"""Versions of a contract's terms: what normal output includes, who bears what, who answers how fast."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project


class Terms(models.Model):
    """One version, never changed. On a day the highest number among those that are valid by then holds."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="terms", db_index=False)
    number = models.PositiveIntegerField(_("version"))
    valid_from = models.DateField(_("valid from"))
    currency = models.CharField(_("currency"), max_length=3)
    output_fee = models.DecimalField(_("fee for a normal output"), max_digits=18, decimal_places=6, default=0)
    # ACCOUNTING section 9: each line by its code → whether it is in the fee, and how many of it
    includes = models.JSONField(_("what a normal output includes"), default=dict)
    bearers = models.JSONField(
        _("who bears what"), default=dict
    )  # cause → bearer; what is not named: the default
    platform_fee_bearer = models.CharField(
        _("who bears the fixed platform fee"), max_length=12, default="client"
    )
    client_rounds = models.PositiveSmallIntegerField(_("client's change rounds"), default=1)
    storage_days = models.PositiveIntegerField(_("days of storage"), default=90)
    first_look_hours = models.DecimalField(
        _("hours to the first look"), max_digits=6, decimal_places=2, default=4
    )
    resolution_hours = models.DecimalField(
        _("hours to the resolution"), max_digits=6, decimal_places=2, default=8
    )
    needs_approval = models.JSONField(_("what needs the client's approval"), default=list)  # decisions' codes
    counts_latest_only = models.BooleanField(_("a superseded accepted version counts no more"), default=False)
    non_yield_by = models.CharField(
        _("non-yield is spread"), max_length=12, default="equally"
    )  # or direct_cost
    text = models.TextField(_("in words"), blank=True)
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    saved_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="terms_number_once_a_project"),
            models.CheckConstraint(
                condition=Q(platform_fee_bearer__in=["client", "vendor"]), name="terms_platform_fee_bearer"
            ),
            models.CheckConstraint(
                condition=Q(non_yield_by__in=["equally", "direct_cost"]), name="terms_non_yield_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project} v{self.number}"

"""Quotes of several vendors on one frozen scope."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project


class Scope(models.Model):
    """What every vendor prices. It is frozen by the first quote, and never changes after (PostgreSQL)."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="scopes")
    name = models.CharField(_("name"), max_length=200)
    currency = models.CharField(_("currency"), max_length=3)
    rate_day = models.DateField(_("day of the exchange rates"))
    outputs = models.PositiveIntegerField(_("outputs"))
    locales = models.PositiveSmallIntegerField(_("languages"), default=1)
    formats = models.CharField(_("formats"), max_length=300, blank=True)
    client_rounds = models.PositiveSmallIntegerField(_("client's change rounds"), default=1)
    months = models.PositiveSmallIntegerField(_("months"), default=1)
    storage_days = models.PositiveIntegerField(_("days of storage"), default=90)
    resolution_hours = models.DecimalField(
        _("hours to the resolution"), max_digits=6, decimal_places=2, default=8
    )
    # shares between 0 and 1
    rejected = models.DecimalField(_("rejected at first"), max_digits=6, decimal_places=4, default=0)
    unaccepted = models.DecimalField(_("never accepted"), max_digits=6, decimal_places=4, default=0)
    duplicate = models.DecimalField(_("duplicates"), max_digits=6, decimal_places=4, default=0)
    uncertain = models.DecimalField(_("uncertain outcomes"), max_digits=6, decimal_places=4, default=0)
    frozen_at = models.DateTimeField(_("frozen at"), null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="scope_name_once_a_project"),
            models.CheckConstraint(
                condition=models.Q(
                    rejected__range=(0, 1),
                    unaccepted__range=(0, 1),
                    duplicate__range=(0, 1),
                    uncertain__range=(0, 1),
                ),
                name="scope_shares_are_shares",
            ),
            models.CheckConstraint(condition=models.Q(outputs__gt=0), name="scope_has_outputs"),
        ]

    def __str__(self) -> str:
        return self.name


class Quote(models.Model):
    """One vendor's prices for the lines of a scope (``billing/normal_output.py``). A missing one is incomplete."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="quotes")
    scope = models.ForeignKey(Scope, on_delete=models.PROTECT, related_name="quotes")
    vendor = models.CharField(_("vendor"), max_length=200)
    currency = models.CharField(_("currency"), max_length=3)
    prices = models.JSONField(_("prices"), default=dict)  # line's code → price of one unit, decimal text
    drill = models.UUIDField(_("acceptance drill"), null=True)  # of this vendor's workflow
    saved_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    saved_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["scope", "vendor"], name="quote_once_a_vendor")]

    def __str__(self) -> str:
        return self.vendor

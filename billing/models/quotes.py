"""Quotes of several vendors on one frozen scope."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project


class Scope(models.Model):
    """What every vendor prices: frozen before the first quote comes in."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="scopes")
    name = models.CharField(_("name"), max_length=200)
    currency = models.CharField(_("currency"), max_length=3)
    rate_day = models.DateField(_("day of the exchange rates"))
    with_tax = models.BooleanField(_("with tax that cannot be recovered"), default=False)
    # lines: code → {quantity: decimal text, unit, words}; expectations: reject, duplicate, uncertain as shares
    lines = models.JSONField(_("lines"), default=dict)
    expectations = models.JSONField(_("expected rates"), default=dict)
    frozen_at = models.DateTimeField(_("frozen at"), null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="scope_name_once_a_project")]

    def __str__(self) -> str:
        return self.name


class Quote(models.Model):
    """One vendor's prices for the lines of a scope. A line that is missing makes it incomplete."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="quotes")
    scope = models.ForeignKey(Scope, on_delete=models.PROTECT, related_name="quotes")
    vendor = models.CharField(_("vendor"), max_length=200)
    currency = models.CharField(_("currency"), max_length=3)
    prices = models.JSONField(_("prices"), default=dict)  # line's code → price of one unit, decimal text
    charges = models.JSONField(_("rules of charging"), default=dict)  # cause → whether the vendor bills it
    drill = models.UUIDField(_("acceptance drill"), null=True)  # of this vendor's workflow
    saved_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    saved_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["scope", "vendor"], name="quote_once_a_vendor")]

    def __str__(self) -> str:
        return self.vendor

"""How a project keeps its accounts."""

from __future__ import annotations

from decimal import Decimal

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project


class Books(models.Model):
    """One project's accounts: its functional currency and its limits. Locked while anything is posted."""

    project = models.OneToOneField(Project, on_delete=models.PROTECT, related_name="books")
    currency = models.CharField(_("functional currency"), max_length=3, default="CNY")
    # what is posted is a multiple of this: the minor unit, or less where the contract says so
    quantum = models.DecimalField(
        _("smallest amount"), max_digits=12, decimal_places=6, default=Decimal("0.01")
    )
    undetermined_limit = models.DecimalField(
        _("undetermined at most, to close a period"), max_digits=18, decimal_places=6, default=Decimal(0)
    )
    two_people_above = models.DecimalField(
        _("two people above"), max_digits=18, decimal_places=6, default=Decimal(1000)
    )
    agreed_terms = models.PositiveIntegerField(
        null=True
    )  # the version that cases are handled by (apply_terms)
    minimum_n = models.PositiveSmallIntegerField(_("rates are shown from this n"), default=5)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(currency__regex=r"^[A-Z]{3}$"), name="books_currency_is_a_code"
            ),
            models.CheckConstraint(condition=Q(quantum__gt=0), name="books_quantum_is_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.project} {self.currency}"

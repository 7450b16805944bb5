"""Months of a project: open, held for the close, closed for ever."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from once_delivery.accounts.models import Project


class PeriodStatus(models.TextChoices):
    OPEN = "open", pgettext_lazy("month", "open")
    HOLD = "hold", _("held for the close")
    CLOSED = "closed", _("closed")


class Period(models.Model):
    """One month. A closed one takes no posting (I2) and is never opened again; PostgreSQL upholds both."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="periods", db_index=False)
    month = models.DateField(_("month"))  # its first day
    status = models.CharField(
        _("status"), max_length=6, choices=PeriodStatus.choices, default=PeriodStatus.OPEN
    )
    held_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    held_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    closed_at = models.DateTimeField(_("closed at"), null=True)
    # gates, totals by bucket and bearer, units, rows and the heads of both chains, as they stood at the close
    certificate = models.JSONField(default=dict)
    certificate_hash = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "month"], name="period_once_a_month"),
            models.CheckConstraint(condition=Q(month__day=1), name="period_begins_on_the_first"),
            models.CheckConstraint(
                condition=Q(status__in=PeriodStatus.values), name="period_status_is_known"
            ),
            models.CheckConstraint(
                condition=~Q(status=PeriodStatus.CLOSED)
                | (Q(closed_at__isnull=False, closed_by__isnull=False) & ~Q(certificate_hash="")),
                name="period_closed_has_certificate",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project} {self.month:%Y-%m}"

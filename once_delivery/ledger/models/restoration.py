"""The database was restored from a backup: what was sent since then the ledger does not know (DESIGN section 10)."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Restoration(models.Model):
    """Of the whole house. ``since``: the time of the backup. Append-only; what may be written later is its end, once."""

    since = models.DateTimeField(_("time of the backup"), unique=True)
    opened_at = models.DateTimeField(_("opened at"))
    opened_by = models.CharField(_("opened by"), max_length=150)
    ended_at = models.DateTimeField(_("ended at"), null=True)
    ended_by = models.CharField(_("ended by"), max_length=150, blank=True, default="")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(since__lte=F("opened_at")), name="restoration_of_an_earlier_backup"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_by="")
                | (Q(ended_at__gte=F("opened_at")) & ~Q(ended_by="")),
                name="restoration_ends_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.since:%Y-%m-%d %H:%M:%S %Z}"

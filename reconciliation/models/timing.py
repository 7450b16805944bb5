"""How long people worked on a case: measured, not estimated. Accounting prices it by a dated rate card."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from reconciliation.models.cases import Case


class TimeSpan(models.Model):
    """One uninterrupted span of one person on one case; running while it has no end."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="time_spans")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    began_at = models.DateTimeField(_("from"))
    seen_at = models.DateTimeField()  # the page was open then: a browser that died ends here
    ended_at = models.DateTimeField(_("to"), null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user"], condition=Q(ended_at__isnull=True), name="time_span_one_running_a_person"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("began_at")),
                name="time_span_ends_after_it_began",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.began_at}"

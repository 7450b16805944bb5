"""For how long a project keeps content: who said so, when, and what forgetting has done since."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project

LEAST_DAYS = 30
MOST_DAYS = 36_500


class ForgettingRule(models.Model):
    """The latest row of a project holds; the others are its history. ``after_days`` None: everything is kept."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="forgetting_rules")
    after_days = models.PositiveIntegerField(_("after days"), null=True)
    set_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    set_at = models.DateTimeField(_("set at"))
    ran_at = models.DateTimeField(_("last done at"), null=True)  # to its end

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(after_days__isnull=True) | Q(after_days__gte=LEAST_DAYS),
                name="forgetting_rule_leaves_time",
            )
        ]
        indexes = [models.Index(fields=["project", "-id"], name="forgetting_rule_latest")]

    def __str__(self) -> str:
        return f"{self.project_id}: {self.after_days}"

"""What a person recorded about a cause that no rule can tell (ACCOUNTING section 8, step 5)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from billing.models.choices import Cause
from billing.models.suppliers import SupplierLine
from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Attempt, Task
from reconciliation.models import Approval


class Judgement(models.Model):
    """Of one attempt, one task or one line. Never changed: the latest about it holds."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    attempt = models.ForeignKey(
        Attempt, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    task = models.ForeignKey(Task, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    line = models.ForeignKey(
        SupplierLine, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    cause = models.CharField(_("cause"), max_length=24, choices=Cause.choices)
    record = models.TextField(_("on which record"))
    approval = models.ForeignKey(
        Approval, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    decided_at = models.DateTimeField(_("decided at"), auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(attempt__isnull=False, task__isnull=True, line__isnull=True)
                | Q(attempt__isnull=True, task__isnull=False, line__isnull=True)
                | Q(attempt__isnull=True, task__isnull=True, line__isnull=False),
                name="judgement_of_one_thing",
            ),
            models.CheckConstraint(condition=Q(cause__in=Cause.values), name="judgement_cause_is_known"),
        ]
        indexes = [
            models.Index(fields=["attempt"], name="judgement_of_attempt", condition=Q(attempt__isnull=False)),
            models.Index(fields=["task"], name="judgement_of_task", condition=Q(task__isnull=False)),
            models.Index(fields=["line"], name="judgement_of_line", condition=Q(line__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.cause} {self.decided_at:%Y-%m-%d}"

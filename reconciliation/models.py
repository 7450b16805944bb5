"""What needs a person: cases with an owner and a due time, and findings at the target."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Action


class CaseKind(models.TextChoices):
    UNCERTAIN = "uncertain", _("result uncertain")
    REFUSED = "refused", _("refused by the target")
    STUCK = "stuck", _("cannot go on")
    DUPLICATE = "duplicate", _("more than one at the target")


class CaseStatus(models.TextChoices):
    OPEN = "open", _("open")
    RESOLVED = "resolved", _("resolved")


class Case(models.Model):
    """An action that a person must look at. Never without an owner and a due time (R13)."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="cases")
    action = models.ForeignKey(Action, on_delete=models.PROTECT, related_name="cases")
    kind = models.CharField(_("kind"), max_length=10, choices=CaseKind.choices)
    reason = models.CharField(_("reason"), max_length=60)
    status = models.CharField(_("status"), max_length=10, choices=CaseStatus.choices, default=CaseStatus.OPEN)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="cases", verbose_name=_("owner")
    )
    opened_at = models.DateTimeField(_("opened at"))
    due_at = models.DateTimeField(_("due at"))
    resolved_at = models.DateTimeField(_("resolved at"), null=True)
    resolution = models.CharField(_("decision"), max_length=60, blank=True)
    resolved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["action"], condition=Q(status=CaseStatus.OPEN), name="case_one_open_an_action"
            ),
            models.CheckConstraint(condition=Q(status__in=CaseStatus.values), name="case_status_is_known"),
            models.CheckConstraint(
                condition=Q(status=CaseStatus.OPEN, resolved_at__isnull=True, resolution="")
                | (Q(status=CaseStatus.RESOLVED, resolved_at__isnull=False) & ~Q(resolution="")),
                name="case_resolved_says_how",
            ),
        ]
        indexes = [models.Index(fields=["project", "status", "due_at"], name="case_queue")]

    def __str__(self) -> str:
        return f"{self.kind} {self.uuid}"


class Finding(models.Model):
    """What was found at the target that should not be so. Nothing is deleted by the program (R6)."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="findings")
    action = models.ForeignKey(Action, on_delete=models.PROTECT, related_name="findings")
    kind = models.CharField(_("kind"), max_length=10)
    evidence = models.JSONField(default=dict)
    found_at = models.DateTimeField(_("found at"))

    class Meta:
        constraints = [models.UniqueConstraint(fields=["action", "kind"], name="finding_once_a_kind")]

    def __str__(self) -> str:
        return f"{self.kind} {self.uuid}"

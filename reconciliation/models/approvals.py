"""What the client, or a second person, must agree to."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from reconciliation.models.cases import Case


class ApprovalStatus(models.TextChoices):
    ASKED = "asked", _("asked for")
    GIVEN = "given", _("approved")
    DENIED = "denied", _("not approved")
    VOID = "void", _("void")
    WITHDRAWN = "withdrawn", _("withdrawn")


class Approval(models.Model):
    """A proposal to decide a case. Void when the case or its action changed; the proposer never approves."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="approvals")
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="approvals")
    decision = models.CharField(_("decision"), max_length=20)
    result_id = models.CharField(_("result ID"), max_length=300, blank=True)
    by_client = models.BooleanField(_("the client's"))  # else a second person's
    words = models.TextField(_("in words"), blank=True)
    action_revision = models.PositiveIntegerField()
    evidence_id = models.BigIntegerField(null=True)  # the latest observation when it was proposed
    status = models.CharField(
        _("status"), max_length=10, choices=ApprovalStatus.choices, default=ApprovalStatus.ASKED
    )
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField(_("proposed at"))
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    answered_at = models.DateTimeField(_("answered at"), null=True)
    answer_words = models.TextField(_("the answer in words"), blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["case"], condition=Q(status=ApprovalStatus.ASKED), name="approval_one_asked_a_case"
            ),
            models.CheckConstraint(
                condition=Q(answered_by__isnull=True) | ~Q(answered_by=F("proposed_by")),
                name="approval_not_by_who_proposed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.decision} {self.status}"

"""What people decided about drafts, and the links by which people without an account decide."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Task
from once_delivery.review.models.drafts import Draft


class Verdict(models.TextChoices):
    """What may be decided about a draft."""

    ACCEPTED = "accepted", pgettext_lazy("review", "accepted")
    CHANGES = "changes", pgettext_lazy("review", "changes asked for")
    REJECTED = "rejected", pgettext_lazy("review", "rejected")
    WITHDRAWN = "withdrawn", pgettext_lazy("review", "taken back")


class Reason(models.TextChoices):
    """Why not."""

    FACTS = "facts", _("facts are wrong")
    BRIEF = "brief", _("not what the brief asks for")
    LANGUAGE = "language", _("language or spelling")
    TONE = "tone", _("tone or brand voice")
    IMAGES = "images", _("images")
    LEGAL = "legal", _("legal or compliance")
    FORM = "form", _("structure or formatting")
    OTHER = "other", _("something else")


class ApprovalLink(models.Model):
    """Lets somebody without an account decide one task; only the hash of its secret is kept."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="approval_links")
    secret_hash = models.CharField(max_length=64, unique=True)
    approver = models.CharField(_("for whom"), max_length=200)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(_("created at"))
    expires_at = models.DateTimeField(_("valid until"))
    revoked_at = models.DateTimeField(_("revoked at"), null=True)

    def __str__(self) -> str:
        return f"{self.approver} {self.uuid}"


class Review(models.Model):
    """One decision of one person about one text. Append-only, enforced by PostgreSQL (R10)."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="reviews")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="reviews")
    draft = models.ForeignKey(Draft, on_delete=models.PROTECT, related_name="reviews")
    verdict = models.CharField(_("decision"), max_length=10, choices=Verdict.choices)
    reasons = models.JSONField(_("reasons"), default=list)
    text = models.TextField(_("in words"), blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="reviews"
    )
    link = models.ForeignKey(ApprovalLink, on_delete=models.PROTECT, null=True, related_name="reviews")
    at = models.DateTimeField(_("at"))

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(verdict__in=Verdict.values), name="review_verdict_is_known"),
            models.CheckConstraint(
                condition=Q(user__isnull=False, link__isnull=True) | Q(user__isnull=True, link__isnull=False),
                name="review_by_one_person",
            ),
        ]
        indexes = [models.Index(fields=["task", "-at"], name="review_latest")]

    def __str__(self) -> str:
        return f"{self.verdict} {self.task_id}"

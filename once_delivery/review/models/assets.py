"""What was accepted, and what of it was taken back again."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Action, Task
from once_delivery.review.models.drafts import Draft
from once_delivery.review.models.reviews import Review


class Asset(models.Model):
    """An accepted deliverable: what accounting counts. One a task stands; of one taken back its revocation says if it counts."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="assets")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="assets")
    action = models.ForeignKey(Action, on_delete=models.PROTECT, related_name="+")
    review = models.ForeignKey(Review, on_delete=models.PROTECT, related_name="+")
    draft = models.ForeignKey(Draft, on_delete=models.PROTECT, related_name="+")
    accepted_at = models.DateTimeField(_("accepted at"))
    withdrawn_at = models.DateTimeField(_("taken back at"), null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["task"], condition=Q(withdrawn_at__isnull=True), name="asset_one_a_task"
            )
        ]
        indexes = [models.Index(fields=["project", "accepted_at"], name="asset_by_time")]

    def __str__(self) -> str:
        return f"{self.task}"


class RevocationStatus(models.TextChoices):
    """Whether an acceptance that was taken back still counts."""

    ASKED = "asked", _("the client is asked")
    GIVEN = "given", _("the client agreed")
    DENIED = "denied", _("the client holds to it")
    SLIP = "slip", _("undone at once")
    AGAIN = "again", _("accepted again")


# of the acceptance that was taken back; under the others it counts on
COUNTS_NO_MORE = (RevocationStatus.GIVEN, RevocationStatus.SLIP, RevocationStatus.AGAIN)


class Revocation(models.Model):
    """An acceptance that was taken back. It counts on until the client has agreed (ACCOUNTING, section 7)."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="revocations")
    asset = models.OneToOneField(Asset, on_delete=models.PROTECT, related_name="revocation")
    review = models.OneToOneField(Review, on_delete=models.PROTECT, related_name="+")  # what took it back
    status = models.CharField(_("status"), max_length=10, choices=RevocationStatus.choices)
    asked_at = models.DateTimeField(_("taken back at"))
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    answered_at = models.DateTimeField(_("answered at"), null=True)
    words = models.TextField(_("the answer in words"), blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=RevocationStatus.values), name="revocation_status_is_known"
            ),
            models.CheckConstraint(
                condition=~Q(status=RevocationStatus.ASKED) | Q(answered_by=None, answered_at=None),
                name="revocation_asked_is_unanswered",
            ),
        ]
        indexes = [
            models.Index(fields=["project", "asked_at"], name="revocation_asked", condition=Q(status="asked"))
        ]

    def __str__(self) -> str:
        return f"{self.asset} {self.status}"

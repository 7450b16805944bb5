"""Batch files that came by a browser: kept from the dry run to the import, so that both read the same bytes."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Batch


class Upload(models.Model):
    """One file, and what its latest dry run said. ``report`` is what ``uploads.report_data`` wrote."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="uploads")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    batch_name = models.CharField(_("name of the batch"), max_length=200, blank=True)
    default_target = models.CharField(_("target of rows that name none"), max_length=200, blank=True)
    file_name = models.CharField(_("file"), max_length=255)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveIntegerField(_("bytes"))
    data = models.BinaryField()
    report = models.JSONField(default=dict)
    checked_at = models.DateTimeField(_("checked at"), null=True)
    batch = models.ForeignKey(Batch, on_delete=models.SET_NULL, null=True, related_name="uploads")
    applied_at = models.DateTimeField(_("imported at"), null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["created_at"], name="upload_not_imported", condition=Q(applied_at__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return self.file_name


class UploadedPicture(models.Model):
    """A picture that came along with a batch file; the ledger keeps what the import used of them."""

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="pictures")
    name = models.CharField(max_length=255)
    data = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["upload", "name"], name="uploaded_picture_once_a_name")
        ]

    def __str__(self) -> str:
        return self.name

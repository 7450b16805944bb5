"""Files of suppliers that were sent and tried, and not imported yet."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from billing.models.choices import Tax
from billing.models.suppliers import DocumentKind, Supplier
from once_delivery.accounts.models import Project


class SentDocument(models.Model):
    """What is imported are the bytes that were tried. Forgotten when it was imported, or after some days."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    supplier = models.ForeignKey(Supplier, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(_("kind"), max_length=14, choices=DocumentKind.choices)
    number = models.CharField(_("number"), max_length=120)
    dated = models.DateField(_("dated"))
    period = models.DateField(_("month"), null=True)
    total = models.DecimalField(_("total"), max_digits=30, decimal_places=12, null=True)
    currency = models.CharField(_("currency"), max_length=3, blank=True)
    tax_treatment = models.CharField(max_length=16, choices=Tax.choices, default=Tax.RECOVERABLE)
    late = models.BooleanField(_("costs of closed months are corrections"), default=False)
    credits_number = models.CharField(_("credits the invoice"), max_length=120, blank=True)
    mapping = models.JSONField(null=True)
    file_name = models.CharField(_("file"), max_length=255)
    data = models.BinaryField()
    sent_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    sent_at = models.DateTimeField(_("sent at"))

    class Meta:
        indexes = [models.Index(fields=["sent_at"], name="sent_document_oldest")]

    def __str__(self) -> str:
        return self.number

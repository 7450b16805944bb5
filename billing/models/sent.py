"""Files of suppliers that were sent from a page: to be tried, then imported or forgotten."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from billing.models.choices import Tax
from billing.models.suppliers import DocumentKind, Supplier, SupplierDocument
from once_delivery.accounts.models import Project


class SentWork(models.TextChoices):
    """What a worker does with a file that is too long to be read while a page waits."""

    NONE = ""
    TRY = "try"
    IMPORT = "import"


class SentStatus(models.TextChoices):
    """How far that is."""

    IDLE = ""
    WAITING = "waiting"
    RUNNING = "running"


SENT_UNDER_WAY = (SentStatus.WAITING, SentStatus.RUNNING)


class SentDocument(models.Model):
    """What is imported are the bytes that were tried.

    Forgotten when it was imported while its page waited, and else after some days; what a worker imported leads to its
    document until then.
    """

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
    work = models.CharField(max_length=6, choices=SentWork.choices, default=SentWork.NONE, blank=True)
    status = models.CharField(max_length=7, choices=SentStatus.choices, default=SentStatus.IDLE, blank=True)
    steps = models.PositiveIntegerField(default=0)  # a line is read, kept and posted
    steps_total = models.PositiveIntegerField(default=0)
    asked_at = models.DateTimeField(null=True)
    began_at = models.DateTimeField(null=True)  # when a worker first took what was asked for last
    told = models.JSONField(null=True, encoder=DjangoJSONEncoder)  # what trying it said (``outcome.py``)
    # what it became, where a worker imported it; the bytes are the document's then
    document = models.ForeignKey(SupplierDocument, on_delete=models.CASCADE, null=True, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(status__in=SentStatus.values), name="sent_status_is_known"),
            models.CheckConstraint(condition=Q(work__in=SentWork.values), name="sent_work_is_known"),
        ]
        indexes = [models.Index(fields=["sent_at"], name="sent_document_oldest")]

    def __str__(self) -> str:
        return self.number

    @property
    def under_way(self) -> bool:
        """Whether a worker is at it, or will be."""
        return self.status in SENT_UNDER_WAY

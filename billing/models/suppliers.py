"""Suppliers' documents as they were imported, and their lines. What was posted equals the document's total (I4)."""

from __future__ import annotations

import uuid
from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from billing.models.choices import SubBucket, Tax
from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Attempt


class DocumentKind(models.TextChoices):
    INVOICE = "invoice", _("invoice")
    CREDIT_NOTE = "credit_note", _("credit note")
    BILLING_EVENTS = "billing_events", _("billing events")  # grade B, until the invoice comes
    USAGE = "usage", _("usage report")  # settles nothing; spreads an invoice that names no requests


# what settles; events and usage reports are followed by one
BILLS = (DocumentKind.INVOICE, DocumentKind.CREDIT_NOTE)


class Supplier(models.Model):
    """Who sends bills. The mapping of its files' columns is remembered here."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # None: it bills the organisation, and its documents are shared by projects
    project = models.ForeignKey(Project, on_delete=models.PROTECT, null=True, related_name="suppliers")
    code = models.SlugField(_("code"), max_length=50)  # the provider's name in usage, as in fal or openai
    name = models.CharField(_("name"), max_length=200)
    sub_bucket = models.CharField(
        _("what for"), max_length=14, choices=SubBucket.choices, default=SubBucket.GENERATION
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "code"], nulls_distinct=False, name="supplier_code_once_a_project"
            )
        ]

    def __str__(self) -> str:
        return self.name


class ColumnMapping(models.Model):
    """Which column of a supplier's file is which field, kept once a kind of document."""

    supplier = models.ForeignKey(Supplier, on_delete=models.CASCADE, related_name="mappings")
    kind = models.CharField(max_length=14, choices=DocumentKind.choices)
    shape = models.CharField(
        _("shape"), max_length=30
    )  # columns, or a known one: focus, fal, openai, anthropic, litellm
    columns = models.JSONField(default=dict)  # field → heading
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    saved_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["supplier", "kind"], name="column_mapping_once_a_kind")
        ]

    def __str__(self) -> str:
        return f"{self.supplier} {self.kind}"


class SupplierDocument(models.Model):
    """One bill. The raw file is kept by its hash; the total is converted once, at the document's date."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # None: an organisation's document, shared by projects; only who does the organisation's finance sees it
    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, null=True, related_name="supplier_documents", db_index=False
    )
    supplier = models.ForeignKey(Supplier, on_delete=models.PROTECT, related_name="documents")
    kind = models.CharField(_("kind"), max_length=14, choices=DocumentKind.choices)
    number = models.CharField(_("number"), max_length=120)
    # the same number sent again with more lines: what is new stands in a supplement of its own, with its own total
    supplement = models.PositiveSmallIntegerField(_("supplement"), default=0)
    shape = models.CharField(_("shape"), max_length=30, blank=True)
    dated = models.DateField(_("dated"))
    period = models.DateField(_("month"))  # what it bills: the origin of its entries
    currency = models.CharField(_("currency"), max_length=3)
    total = models.DecimalField(
        _("total"), max_digits=30, decimal_places=12
    )  # without recoverable tax; credits < 0
    tax_total = models.DecimalField(_("recoverable tax"), max_digits=30, decimal_places=12, default=0)
    fx_rate = models.DecimalField(max_digits=20, decimal_places=10, null=True)
    fx_date = models.DateField(null=True)
    fx_source = models.CharField(max_length=100, blank=True)
    functional_total = models.DecimalField(max_digits=18, decimal_places=6)
    credits_document = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="credited_by", db_index=False
    )
    file_name = models.CharField(_("file"), max_length=255)
    file_sha256 = models.CharField(max_length=64)
    raw = models.BinaryField()
    imported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    imported_at = models.DateTimeField(_("imported at"), auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["supplier", "kind", "number", "supplement"], name="supplier_document_once_a_number"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=DocumentKind.values), name="supplier_document_kind_is_known"
            ),
            models.CheckConstraint(condition=Q(period__day=1), name="supplier_document_period_is_a_month"),
        ]
        indexes = [models.Index(fields=["project", "period"], name="supplier_document_by_month")]

    def __str__(self) -> str:
        return self.number


class LineStatus(models.TextChoices):
    """How a line stands beside our attempts (ACCOUNTING D4)."""

    MATCHED = "matched", _("matched")
    AMOUNT = "amount", _("another amount than expected")
    DATE = "date", _("another day than expected")
    AMBIGUOUS = "ambiguous", _("several attempts fit")
    ORPHAN = "orphan", _("no attempt fits")
    DOUBLE = "double", _("billed twice")
    GENERAL = "general", pgettext_lazy("line", "no attempt is meant")  # storage, fees: shared by a driver


# a person must say what the line is for, or that it is right
WAITS = (LineStatus.AMOUNT, LineStatus.DATE, LineStatus.AMBIGUOUS, LineStatus.ORPHAN)


class SupplierLine(models.Model):
    """One line, as the supplier wrote it. ``key`` is what makes it this line: the same one again adds nothing."""

    document = models.ForeignKey(SupplierDocument, on_delete=models.PROTECT, related_name="lines")
    number = models.PositiveIntegerField(_("line"))
    key = models.CharField(max_length=64)  # sha256 of what the line says, with a counter for true repeats
    request_id = models.CharField(_("request ID"), max_length=300, blank=True)
    idempotency_key = models.CharField(max_length=300, blank=True)
    model = models.CharField(_("model"), max_length=200, blank=True)
    used_at = models.DateTimeField(_("used at"), null=True)
    used_until = models.DateTimeField(_("until"), null=True)  # it sums up a span: shared out by usage
    used_on = models.DateField(_("day"))
    units = models.DecimalField(_("units"), max_digits=30, decimal_places=12, null=True)
    unit = models.CharField(_("unit"), max_length=60, blank=True)
    amount = models.DecimalField(_("amount"), max_digits=30, decimal_places=12)
    functional_amount = models.DecimalField(max_digits=18, decimal_places=6)  # its share of the document's
    tax_amount = models.DecimalField(_("tax"), max_digits=30, decimal_places=12, default=0)
    tax_functional = models.DecimalField(
        max_digits=18, decimal_places=6, default=0
    )  # in or outside: tax_treatment
    sub_bucket = models.CharField(max_length=14, choices=SubBucket.choices)
    tax_treatment = models.CharField(max_length=16, choices=Tax.choices, default=Tax.NONE)
    description = models.CharField(_("description"), max_length=500, blank=True)
    credits_line = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="credited_by", db_index=False
    )
    raw = models.JSONField(default=dict)  # every field of the supplier's own line

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["document", "number"], name="supplier_line_once_a_number"),
            models.UniqueConstraint(fields=["document", "key"], name="supplier_line_once"),
        ]
        indexes = [
            models.Index(fields=["request_id"], name="supplier_line_by_request", condition=~Q(request_id=""))
        ]

    def __str__(self) -> str:
        return f"{self.document} #{self.number}"

    @property
    def tax_in_it(self) -> Decimal:
        """The part of ``cost`` that is tax: none where it can be recovered."""
        return self.tax_functional if self.tax_treatment == Tax.NON_RECOVERABLE else Decimal(0)

    @property
    def cost(self) -> Decimal:
        """What it costs in our currency, tax that cannot be recovered included. A document's lines sum to its total."""
        return self.functional_amount + self.tax_in_it

    @property
    def native_cost(self) -> Decimal:
        """The same in the document's currency."""
        taxed = self.tax_treatment == Tax.NON_RECOVERABLE
        return self.amount + (self.tax_amount if taxed else Decimal(0))


class LineMatch(models.Model):
    """What a line was matched to, and how. Written once a line; a person's answer replaces the machine's."""

    line = models.OneToOneField(
        SupplierLine, on_delete=models.CASCADE, primary_key=True, related_name="match"
    )
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    status = models.CharField(_("status"), max_length=9, choices=LineStatus.choices)
    attempt = models.ForeignKey(
        Attempt, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    matched_by = models.CharField(
        max_length=20, blank=True
    )  # request_id, idempotency_key, model_time_units, person
    candidates = models.JSONField(default=list)
    expected = models.DecimalField(max_digits=18, decimal_places=6, null=True)  # our estimate, functional
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    claim = models.CharField(_("claim number"), max_length=60, blank=True)
    note = models.CharField(_("note"), max_length=500, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    answered_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=LineStatus.values), name="line_match_status_is_known"
            )
        ]
        indexes = [
            models.Index(
                fields=["project", "line"],
                name="line_waits",
                condition=Q(status__in=["amount", "date", "ambiguous", "orphan"], answered_at__isnull=True),
            ),
            models.Index(
                fields=["attempt"], name="line_match_of_attempt", condition=Q(attempt__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.line} {self.status}"

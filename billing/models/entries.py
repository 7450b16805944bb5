"""The ledger of costs. Append-only; ``billing/sql/entries.sql`` numbers, chains and checks each entry."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from billing.models.choices import BUCKET_OF, Bearer, Bucket, Cause, EntryKind, Grade, SubBucket, Tax
from billing.models.suppliers import SupplierDocument, SupplierLine
from billing.models.terms import Terms
from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Attempt, Task
from once_delivery.review.models import Asset
from reconciliation.models import Approval, Case


class AllocationLevel(models.TextChoices):
    """Which step of org → project → task → attempt a run makes; each allocates the posted amount of the one above."""

    PROJECTS = "projects", _("to projects")
    TASKS = "tasks", _("to tasks")
    ATTEMPTS = "attempts", _("to attempts")


class AllocationRun(models.Model):
    """One sharing-out by one driver. ``total`` is what its entries sum to (I5): 0 within a project."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # None: it shares an organisation's document among projects; a project sees its own share only
    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, null=True, related_name="allocation_runs", db_index=False
    )
    period = models.DateField(_("month"))
    level = models.CharField(max_length=8, choices=AllocationLevel.choices)
    method = models.CharField(_("method"), max_length=60)  # with its version, as in attempts/1
    document = models.ForeignKey(
        SupplierDocument, on_delete=models.PROTECT, null=True, related_name="shared_by"
    )
    total = models.DecimalField(max_digits=18, decimal_places=6, default=0)
    weights = models.JSONField(default=dict)  # the snapshot of the driver, key → weight as a decimal string
    made_by = models.CharField(_("by"), max_length=150)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["project", "period"], name="allocation_by_month")]

    def __str__(self) -> str:
        return f"{self.method} {self.period:%Y-%m}"


class CostEntry(models.Model):
    """One amount with its evidence. ``seq``, ``prev_hash``, ``hash``, ``correction`` and ``created_at`` are PostgreSQL's."""

    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="cost_entries", db_index=False
    )
    seq = models.BigIntegerField(editable=False, default=0)  # of the project, without a gap
    posted_period = models.DateField(_("posted in"))  # first day of the month
    origin_period = models.DateField(_("belongs to"))
    incurred_on = models.DateField(_("incurred on"))
    correction = models.BooleanField(_("correction"), default=False, editable=False)  # I3
    kind = models.CharField(_("kind"), max_length=16, choices=EntryKind.choices)
    bucket = models.CharField(_("bucket"), max_length=1, choices=Bucket.choices)
    sub_bucket = models.CharField(_("what for"), max_length=14, choices=SubBucket.choices)
    cause = models.CharField(_("cause"), max_length=24, choices=Cause.choices)
    bearer = models.CharField(_("bearer"), max_length=12, choices=Bearer.choices)
    amount = models.DecimalField(_("amount"), max_digits=18, decimal_places=6)  # functional currency
    native_amount = models.DecimalField(max_digits=30, decimal_places=12)
    native_currency = models.CharField(max_length=3)
    fx_rate = models.DecimalField(max_digits=20, decimal_places=10, null=True)  # None: the same currency
    fx_date = models.DateField(null=True)
    fx_source = models.CharField(max_length=100, blank=True)
    tax_treatment = models.CharField(max_length=16, choices=Tax.choices, default=Tax.NONE)
    tax_memo = models.DecimalField(max_digits=18, decimal_places=6, default=0)  # recoverable, outside N
    task = models.ForeignKey(Task, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    attempt = models.ForeignKey(
        Attempt, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    asset = models.ForeignKey(Asset, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    case = models.ForeignKey(Case, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    document = models.ForeignKey(
        SupplierDocument, on_delete=models.PROTECT, null=True, related_name="entries", db_index=False
    )
    supplier_line = models.ForeignKey(
        SupplierLine, on_delete=models.PROTECT, null=True, related_name="entries", db_index=False
    )
    grade = models.CharField(_("evidence"), max_length=1, choices=Grade.choices)
    reverses = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    corrects = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    allocation_run = models.ForeignKey(
        AllocationRun, on_delete=models.PROTECT, null=True, related_name="entries", db_index=False
    )
    transfer = models.UUIDField(null=True)  # both sides of a change of bearer carry it, and sum to 0
    approval = models.ForeignKey(
        Approval, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    terms = models.ForeignKey(Terms, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    # what this entry was pulled from, as in receipt:17 or span:4: a pull that runs twice posts once
    source_key = models.CharField(max_length=200, blank=True)
    description = models.CharField(_("description"), max_length=500, blank=True)
    details = models.JSONField(
        default=dict
    )  # of manual work: person, minutes, hourly rate; of usage: quantity, unit
    actor = models.CharField(_("by"), max_length=150)
    created_at = models.DateTimeField(auto_now_add=True)
    prev_hash = models.CharField(max_length=64, editable=False, default="")
    hash = models.CharField(max_length=64, editable=False, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "seq"], name="cost_entry_seq_once_a_project"),
            models.UniqueConstraint(
                fields=["project", "source_key"], condition=~Q(source_key=""), name="cost_entry_once_a_source"
            ),
            models.UniqueConstraint(  # I8
                fields=["reverses", "kind"],
                condition=Q(reverses__isnull=False),
                name="cost_entry_reversed_once",
            ),
            models.CheckConstraint(  # I3
                condition=Q(posted_period__gte=F("origin_period")), name="cost_entry_posted_after_origin"
            ),
            models.CheckConstraint(
                condition=Q(posted_period__day=1, origin_period__day=1), name="cost_entry_periods_are_months"
            ),
            models.CheckConstraint(condition=Q(kind__in=EntryKind.values), name="cost_entry_kind_is_known"),
            models.CheckConstraint(condition=Q(cause__in=Cause.values), name="cost_entry_cause_is_known"),
            models.CheckConstraint(condition=Q(bearer__in=Bearer.values), name="cost_entry_bearer_is_known"),
            models.CheckConstraint(condition=Q(grade__in=Grade.values), name="cost_entry_grade_is_known"),
            models.CheckConstraint(
                condition=Q(
                    *(Q(sub_bucket=sub, bucket=bucket) for sub, bucket in BUCKET_OF.items()), _connector=Q.OR
                ),
                name="cost_entry_sub_bucket_of_bucket",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["charge", "accrual", "labour"], amount__gte=0)
                | Q(kind__in=["accrual_release", "supplier_credit"], amount__lte=0)
                | ~Q(kind__in=["charge", "accrual", "labour", "accrual_release", "supplier_credit"]),
                name="cost_entry_sign_of_kind",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["reversal", "accrual_release"], reverses__isnull=False)
                | (~Q(kind__in=["reversal", "accrual_release"]) & Q(reverses__isnull=True)),
                name="cost_entry_reverses_what_it_names",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["bearer_transfer", "write_off_claim"], transfer__isnull=False)
                | (~Q(kind__in=["bearer_transfer", "write_off_claim"]) & Q(transfer__isnull=True)),
                name="cost_entry_transfer_has_two_sides",
            ),
        ]
        indexes = [
            models.Index(fields=["project", "posted_period"], name="cost_by_posted_month"),
            models.Index(fields=["project", "origin_period"], name="cost_by_origin_month"),
            models.Index(fields=["task"], name="cost_of_task", condition=Q(task__isnull=False)),
            models.Index(fields=["project"], name="cost_of_no_task", condition=Q(task__isnull=True)),
            models.Index(
                fields=["project", "posted_period"],
                name="cost_undetermined",
                condition=Q(bearer=Bearer.UNDETERMINED),
            ),
            models.Index(fields=["attempt"], name="cost_of_attempt", condition=Q(attempt__isnull=False)),
            models.Index(fields=["document"], name="cost_of_document", condition=Q(document__isnull=False)),
            models.Index(
                fields=["allocation_run"],
                name="cost_of_allocation",
                condition=Q(allocation_run__isnull=False),
            ),
            models.Index(fields=["transfer"], name="cost_of_transfer", condition=Q(transfer__isnull=False)),
            models.Index(fields=["corrects"], name="cost_that_corrects", condition=Q(corrects__isnull=False)),
            models.Index(
                fields=["supplier_line"], name="cost_of_line", condition=Q(supplier_line__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount}"

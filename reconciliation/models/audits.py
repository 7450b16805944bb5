"""What an audit listed at a target, and what it found."""

from __future__ import annotations

import uuid

from django.contrib.postgres.fields import BigIntegerRangeField
from django.contrib.postgres.indexes import GistIndex
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project, User
from once_delivery.ledger.models import Action, Run
from once_delivery.targets.models import Target


class AuditStatus(models.TextChoices):
    RUNNING = "running", _("running")
    COMPLETE = "complete", _("complete")
    CUT = "cut", _("cut short")


class AuditScope(models.TextChoices):
    EVERYTHING = "everything", _("everything")
    CHANGES = "changes", _("what was changed since the last audit")


class Audit(models.Model):
    """One list of what a target holds, held against the ledger (R11).

    ``progress`` has, for each kind, the place after which the list can go on, and whether it was read to its end.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="audits")
    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="audits")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="+")
    status = models.CharField(
        _("status"), max_length=10, choices=AuditStatus.choices, default=AuditStatus.RUNNING
    )
    scope = models.CharField(
        _("scope"), max_length=10, choices=AuditScope.choices, default=AuditScope.EVERYTHING
    )
    changed_since = models.DateTimeField(null=True)
    progress = models.JSONField(default=dict)
    code = models.CharField(_("why cut short"), max_length=60, blank=True)
    started_at = models.DateTimeField(_("started at"))
    finished_at = models.DateTimeField(_("finished at"), null=True)
    counts = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(status__in=AuditStatus.values), name="audit_status_is_known"),
            models.CheckConstraint(condition=Q(scope__in=AuditScope.values), name="audit_scope_is_known"),
        ]
        indexes = [models.Index(fields=["target", "-started_at"], name="audit_of_target")]

    def __str__(self) -> str:
        return f"audit {self.uuid}"


class AuditedObject(models.Model):
    """One object as an audit saw it; kept until the audit is concluded."""

    audit = models.ForeignKey(Audit, on_delete=models.CASCADE, related_name="objects_seen")
    kind = models.CharField(max_length=20)
    result_id = models.CharField(max_length=300)
    marker = models.CharField(max_length=300)
    status = models.CharField(max_length=60)
    title = models.CharField(max_length=500)
    url = models.CharField(max_length=1000, default="")
    version = models.CharField(max_length=200, default="")
    trashed = models.BooleanField()

    class Meta:
        constraints = [
            # a list that changes while it is read may show one object on two pages
            models.UniqueConstraint(
                fields=["audit", "kind", "result_id"], name="audited_object_once_an_audit"
            )
        ]
        indexes = [models.Index(fields=["audit", "marker"], name="audited_object_by_marker")]

    def __str__(self) -> str:
        return f"{self.kind} {self.result_id}"


class FindingSpan(models.Func):
    """From when until when, as one span of whole seconds that has the target in front (reconciliation/sql/spans.sql)."""

    function = "once_span"
    arity = 3
    output_field = BigIntegerRangeField()


class FindingKind(models.TextChoices):
    DUPLICATE = "duplicate", _("duplicate")
    ORPHAN = "orphan", _("orphan")
    MISSING = "missing", _("missing")
    TRASHED = "trashed", _("in the trash")
    CHANGED = "changed", _("changed since confirmed")


class Finding(models.Model):
    """What is at the target and should not be so, or the other way round. Nothing is deleted by the program (R6)."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="findings")
    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="findings")
    action = models.ForeignKey(Action, on_delete=models.PROTECT, null=True, related_name="findings")
    audit = models.ForeignKey(Audit, on_delete=models.PROTECT, null=True, related_name="findings")
    kind = models.CharField(_("kind"), max_length=10, choices=FindingKind.choices)
    marker = models.CharField(_("marker"), max_length=64)
    evidence = models.JSONField(default=dict)
    found_at = models.DateTimeField(_("found at"))
    over_at = models.DateTimeField(_("not so any more since"), null=True)
    explained_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    explained_at = models.DateTimeField(_("explained at"), null=True)
    explanation = models.TextField(_("why it is all right"), blank=True, default="", db_default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["target", "marker", "kind"],
                condition=Q(over_at__isnull=True),
                name="finding_once_a_kind_while_it_lasts",
            ),
            models.CheckConstraint(condition=Q(kind__in=FindingKind.values), name="finding_kind_is_known"),
            models.CheckConstraint(
                condition=Q(kind=FindingKind.ORPHAN) | Q(action__isnull=False),
                name="finding_names_its_action",
            ),
            models.CheckConstraint(
                condition=Q(explained_at__isnull=True, explanation="")
                | (Q(explained_at__isnull=False, explained_by__isnull=False) & ~Q(explanation="")),
                name="finding_explained_says_by_whom",
            ),
        ]
        indexes = [
            models.Index(fields=["target", "-id"], name="finding_of_target"),
            # which of them stood at a moment, of one target: there is no other index for "began before and ended after"
            GistIndex(FindingSpan(F("target"), F("found_at"), F("over_at")), name="finding_while_it_lasted"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.uuid}"

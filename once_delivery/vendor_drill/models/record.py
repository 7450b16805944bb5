"""What was seen of a vendor's drill. Every row here is evidence: PostgreSQL refuses to change it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from once_delivery.vendor_drill.models.drill import Fault, VendorDrill


class RecordedCall(models.Model):
    """One request that reached the proxy; committed before the target sees it when it could have an effect.

    ``item``: letter, "" when it is none. ``creates``: it is a request to make this item. ``path``: below the target's
    address, without secrets. ``body_sha256``: "" while the body was still on its way.
    """

    drill = models.ForeignKey(VendorDrill, on_delete=models.PROTECT, related_name="calls")
    at = models.DateTimeField(db_default=Now())
    method = models.CharField(max_length=20)
    path = models.CharField(max_length=1000)
    item = models.CharField(max_length=1, blank=True, default="")
    creates = models.BooleanField(default=False)
    fault = models.CharField(max_length=20, blank=True, default="")
    body_sha256 = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["drill", "fault"], condition=~Q(fault=""), name="vendor_drill_fault_once"
            ),
            models.CheckConstraint(
                condition=Q(fault__in=["", *Fault.values]), name="vendor_drill_fault_known"
            ),
        ]
        indexes = [models.Index(fields=["drill", "id"], name="vendor_drill_call_order")]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


class RecordedAnswer(models.Model):
    """How one call ended. ``status``: what the target answered; None: it was not reached, or did not answer.

    ``given``: what the caller was given, None when nothing. ``names``: what the answer calls its object. ``shows``: letters of the items whose value or ID the
    answer names. ``note``: codes of ``wording.NOTES``, a space between them. ``took_ms``: from the request's head to the end.
    """

    call = models.OneToOneField(RecordedCall, on_delete=models.PROTECT, related_name="answer")
    at = models.DateTimeField(db_default=Now())
    status = models.PositiveSmallIntegerField(null=True)
    given = models.PositiveSmallIntegerField(null=True)
    names = models.JSONField(default=list)
    shows = models.CharField(max_length=26, blank=True, default="")
    note = models.CharField(max_length=30, blank=True, default="")
    body_sha256 = models.CharField(max_length=64, blank=True, default="")
    request_bytes = models.BigIntegerField(default=0)
    answer_bytes = models.BigIntegerField(default=0)
    took_ms = models.FloatField(default=0.0)

    def __str__(self) -> str:
        return f"answer of call {self.call_id}"


class Moment(models.TextChoices):
    BEFORE = "before", _("before")
    AFTER = "after", _("after")


class InventoryRow(models.Model):
    """One object that the target held, when it was counted before or after."""

    drill = models.ForeignKey(VendorDrill, on_delete=models.PROTECT, related_name="inventory")
    moment = models.CharField(max_length=6, choices=Moment.choices)
    result_id = models.CharField(max_length=300)
    title = models.CharField(max_length=500, blank=True, default="")
    marker = models.CharField(max_length=300, blank=True, default="")
    status = models.CharField(max_length=60, blank=True, default="")
    url = models.CharField(max_length=1000, blank=True, default="")
    made_at = models.DateTimeField(null=True)  # by the target's own clock
    trashed = models.BooleanField(default=False)
    words = models.JSONField(default=dict)  # texts of an object that no call explains, to recognise it by

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["drill", "moment", "result_id"], name="vendor_drill_counted_once"
            ),
            models.CheckConstraint(condition=Q(moment__in=Moment.values), name="vendor_drill_moment_known"),
        ]

    def __str__(self) -> str:
        return f"{self.moment} {self.result_id}"


class Declared(models.TextChoices):
    STOPPED = "stopped", _("stands with a person")
    SECOND_RUN = "second_run", _("a second run was started")


class Declaration(models.Model):
    """What the vendor's lead says with a name, since no inventory shows it."""

    drill = models.ForeignKey(VendorDrill, on_delete=models.PROTECT, related_name="declarations")
    kind = models.CharField(max_length=12, choices=Declared.choices)
    item = models.CharField(max_length=1)
    name = models.CharField(_("name"), max_length=120)
    note = models.CharField(_("note"), max_length=500, blank=True, default="")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=Declared.values), name="vendor_drill_declared_known"),
            models.CheckConstraint(condition=~Q(name=""), name="vendor_drill_declared_by_name"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.item}"


class ItemVerdict(models.Model):
    """The verdict on one item, with what it rests on; ``item`` "" is all that is no item. ``why``: ``wording.WHY``."""

    drill = models.ForeignKey(VendorDrill, on_delete=models.PROTECT, related_name="verdicts")
    item = models.CharField(max_length=1, blank=True)
    passed = models.BooleanField()
    why = models.CharField(max_length=30)
    evidence = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["drill", "item"], name="vendor_drill_judged_once")]

    def __str__(self) -> str:
        return f"{self.item} {self.why}"

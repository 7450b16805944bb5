"""One drill of one vendor's workflow: what was agreed before it began, and how far it is."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from once_delivery.accounts.models import Project
from once_delivery.targets.models import Target

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
FEWEST, MOST = 2, len(LETTERS)


class VendorDrillStatus(models.TextChoices):
    ASKED = "asked", _("being counted before")
    OPEN = "open", pgettext_lazy("vendor drill", "open")
    COUNTING = "counting", _("being counted after")
    FINISHED = "finished", _("finished")
    EXPIRED = "expired", _("expired")
    BROKEN = "broken", _("could not be run")


class Fault(models.TextChoices):
    """What the proxy does once, to one item."""

    ANSWER_LOST = "answer_lost", _("answer lost after the target committed")
    ERROR_BEFORE = "error_before", _("error before the target saw it")
    SLOW_COMMIT = "slow_commit", _("commits late, after the caller may have given up")
    TWO_AT_ONCE = "two_at_once", _("two requests at once")


class Recognise(models.TextChoices):
    """How the proxy knows which item a request is about."""

    ORDER = "order", _("by the order in which new requests come")
    JSON = "json", _("by a field of the JSON body (JSON pointer)")
    FORM = "form", _("by a field of the form")
    HEADER = "header", _("by a header")


UNDER_WAY = (VendorDrillStatus.ASKED, VendorDrillStatus.OPEN, VendorDrillStatus.COUNTING)
OVER = (VendorDrillStatus.FINISHED, VendorDrillStatus.EXPIRED)


class VendorDrill(models.Model):
    """``values``: what the field holds for A, B, C…; empty by order. ``closed_by`` None: the time limit closed it."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="vendor_drills")
    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="vendor_drills")
    vendor = models.CharField(_("vendor"), max_length=120)
    kind = models.CharField(max_length=20, default="create_draft")  # of the objects that are counted
    count = models.PositiveSmallIntegerField(_("items"))
    faults = models.JSONField(_("faults"), default=list)
    recognise = models.CharField(_("recognised"), max_length=10, choices=Recognise.choices)
    place = models.CharField(_("field"), max_length=200, blank=True, default="")
    values = models.JSONField(_("expected values"), default=list)
    creates_at = models.CharField(_("path of creating calls"), max_length=300, blank=True, default="")
    slow_s = models.FloatField(default=20.0)
    race_s = models.FloatField(default=30.0)
    limit_s = models.PositiveIntegerField(_("time limit"))
    secret_hash = models.CharField(max_length=64, unique=True, editable=False)
    status = models.CharField(
        max_length=10, choices=VendorDrillStatus.choices, default=VendorDrillStatus.ASKED
    )
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    asked_at = models.DateTimeField(_("started at"))
    opened_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField(_("ends at"), null=True)
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    ended_at = models.DateTimeField(_("finished at"), null=True)
    woken_at = models.DateTimeField(null=True)  # when a worker was last told of it
    trouble = models.JSONField(default=dict)  # why it cannot be counted: code, template, params

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=VendorDrillStatus.values), name="vendor_drill_status_is_known"
            ),
            models.CheckConstraint(
                condition=Q(recognise__in=Recognise.values), name="vendor_drill_recognise_is_known"
            ),
            models.CheckConstraint(
                condition=Q(count__gte=FEWEST, count__lte=MOST), name="vendor_drill_has_letters"
            ),
            # two at once would count each other's drafts
            models.UniqueConstraint(
                fields=["target"],
                condition=Q(status__in=["asked", "open", "counting"]),
                name="vendor_drill_one_a_target",
            ),
        ]
        indexes = [models.Index(fields=["project", "-asked_at"], name="vendor_drill_of_project")]

    def __str__(self) -> str:
        return f"vendor drill {self.uuid}"

    @property
    def letters(self) -> str:
        """``ABC`` for three items."""
        return LETTERS[: self.count]

    @property
    def is_over(self) -> bool:
        """Judged: nothing of it changes any more."""
        return self.status in OVER

"""Reports that were asked for as files. Each is an event of the audit trail; its link is bound to person and project."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from once_delivery.accounts.models import Project


class ExportStatus(models.TextChoices):
    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")


UNDER_WAY = (ExportStatus.WAITING, ExportStatus.RUNNING)


class Profile(models.TextChoices):
    INTERNAL = "internal", _("internal")
    CLIENT = "client", _("for the client")


class Export(models.Model):
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="exports")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    report = models.CharField(_("report"), max_length=30)
    format = models.CharField(_("format"), max_length=12)  # csv_excel, csv_systems, xlsx
    profile = models.CharField(_("profile"), max_length=8, choices=Profile.choices)
    filters = models.JSONField(default=dict)  # period, basis, …
    status = models.CharField(max_length=7, choices=ExportStatus.choices, default=ExportStatus.WAITING)
    rows = models.BigIntegerField(_("rows"), default=0)
    rows_total = models.BigIntegerField(null=True)
    control = models.JSONField(default=dict)  # sums per bucket and bearer, period's status, hash
    file_name = models.CharField(max_length=255, blank=True)
    path = models.CharField(max_length=500, blank=True)  # below the house's folder of exports
    size = models.BigIntegerField(null=True)
    code = models.CharField(_("why not"), max_length=60, blank=True)
    asked_at = models.DateTimeField(_("asked for at"), auto_now_add=True)
    began_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(_("can be fetched until"))
    fetched = models.PositiveIntegerField(_("fetched"), default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(status__in=ExportStatus.values), name="export_status_is_known")
        ]
        indexes = [
            models.Index(fields=["project", "-asked_at"], name="export_latest"),
            models.Index(fields=["asked_at"], name="export_waits", condition=Q(status="waiting")),
        ]

    def __str__(self) -> str:
        return f"{self.report} {self.uuid}"


class ExportEventKind(models.TextChoices):
    ASKED = "asked", pgettext_lazy("export", "asked for")
    MADE = "made", pgettext_lazy("export", "made")
    FAILED = "failed", pgettext_lazy("export", "failed")
    FETCHED = "fetched", pgettext_lazy("export", "fetched")
    REFUSED = "refused", pgettext_lazy("export", "refused")
    EXPIRED = "expired", pgettext_lazy("export", "expired")


class ExportEvent(models.Model):
    """Who asked for a file, who fetched it, who was refused. Append-only, enforced by PostgreSQL (R10)."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    export = models.ForeignKey(Export, on_delete=models.PROTECT, related_name="events")
    kind = models.CharField(_("what"), max_length=7, choices=ExportEventKind.choices)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    data = models.JSONField(default=dict)
    at = models.DateTimeField(_("at"), auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=ExportEventKind.values), name="export_event_kind_is_known"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.export_id}"

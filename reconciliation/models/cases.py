"""What needs a person: never without an owner and a due time (R13)."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Action


class CaseKind(models.TextChoices):
    UNCERTAIN = "uncertain", _("result uncertain")
    REFUSED = "refused", _("refused by the target")
    STUCK = "stuck", _("cannot go on")
    DUPLICATE = "duplicate", _("more than one at the target")
    HELD = "held", _("held back at the target")  # one a target, for everything that waits there


class CaseStatus(models.TextChoices):
    OPEN = "open", _("open")
    RESOLVED = "resolved", _("resolved")


class Case(models.Model):
    """An action that a person must look at. Never without an owner and a due time (R13)."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="cases")
    action = models.ForeignKey(Action, on_delete=models.PROTECT, related_name="cases")
    kind = models.CharField(_("kind"), max_length=10, choices=CaseKind.choices)
    reason = models.CharField(_("reason"), max_length=60)
    status = models.CharField(_("status"), max_length=10, choices=CaseStatus.choices, default=CaseStatus.OPEN)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="cases", verbose_name=_("owner")
    )
    opened_at = models.DateTimeField(_("opened at"))
    due_at = models.DateTimeField(_("due at"))
    revision = models.PositiveIntegerField(default=0)  # one up with everything that is done to it
    told_percent = models.PositiveSmallIntegerField(default=0)  # of its time: 50, 80, 100 were announced
    paused_at = models.DateTimeField(_("the clock stands since"), null=True)  # while the client is waited for
    snoozed_until = models.DateTimeField(_("put off until"), null=True)
    resolved_at = models.DateTimeField(_("resolved at"), null=True)
    resolution = models.CharField(_("decision"), max_length=60, blank=True)
    resolved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["action"], condition=Q(status=CaseStatus.OPEN), name="case_one_open_an_action"
            ),
            models.CheckConstraint(condition=Q(status__in=CaseStatus.values), name="case_status_is_known"),
            models.CheckConstraint(
                condition=Q(status=CaseStatus.OPEN, resolved_at__isnull=True, resolution="")
                | (Q(status=CaseStatus.RESOLVED, resolved_at__isnull=False) & ~Q(resolution="")),
                name="case_resolved_says_how",
            ),
        ]
        indexes = [
            models.Index(fields=["project", "status", "due_at"], name="case_queue"),
            models.Index(fields=["due_at"], name="case_open_by_due", condition=Q(status=CaseStatus.OPEN)),
            models.Index(
                fields=["-resolved_at", "-id"],
                name="case_resolved_latest",
                condition=Q(status=CaseStatus.RESOLVED),
            ),
            models.Index(
                fields=["owner", "due_at"], name="case_open_of_owner", condition=Q(status=CaseStatus.OPEN)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.uuid}"


class CaseEventKind(models.TextChoices):
    """What is done to a case."""

    OPENED = "opened", _("opened")
    HANDED = "handed", _("handed over")
    SNOOZED = "snoozed", _("put off")
    COMMENTED = "commented", pgettext_lazy("case", "commented")
    LOOKED = "looked", _("look-up asked for")
    ASKED = "asked", _("approval asked for")
    APPROVED = "approved", _("approved")
    DENIED = "denied", _("not approved")
    WITHDRAWN = "withdrawn", _("proposal withdrawn")
    VOID = "void", _("approval void: the case changed")
    DECIDED = "decided", _("decided")
    UNDONE = "undone", _("undone")
    TOLD = "told", _("announced")


class CaseEvent(models.Model):
    """Who did what to a case, when and why. Append-only, enforced by PostgreSQL (R10)."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="events")
    kind = models.CharField(_("what"), max_length=10, choices=CaseEventKind.choices)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    text = models.TextField(_("in words"), blank=True)
    data = models.JSONField(default=dict)
    at = models.DateTimeField(_("at"))

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=CaseEventKind.values), name="case_event_kind_is_known"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.case_id}"

"""Evidence: attempts, receipts, observations and events. Append-only, enforced by PostgreSQL (R10).

Evidence is read by its action, attempt or run; the project has no index here, since nothing is found by it.
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from once_delivery.ledger.models.action import Action
from once_delivery.ledger.models.run import Run
from once_delivery.targets.base import Outcome, Verdict


class Attempt(models.Model):
    """One request that could have an effect; committed before its first byte leaves (R1)."""

    token = models.UUIDField(unique=True, default=uuid.uuid4)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    action = models.ForeignKey(Action, on_delete=models.PROTECT, related_name="attempts", db_index=False)
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="attempts")
    number = models.PositiveIntegerField(_("number"))
    replay = models.BooleanField(_("under the target's protection"))
    key_generation = models.PositiveIntegerField()
    effect = models.CharField(_("what was sent"), max_length=20, blank=True, default="", db_default="")
    base_version = models.CharField(
        max_length=200, blank=True, default="", db_default=""
    )  # of an update: the state it is for
    sender = models.CharField(_("sender"), max_length=100)
    intended_at = models.DateTimeField(_("intended at"))
    lease_until = models.DateTimeField(_("lease until"))

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["action", "number"], name="attempt_number_once_an_action")
        ]

    def __str__(self) -> str:
        return f"{self.action_id}#{self.number}"


class Receipt(models.Model):
    """What came back for an attempt: the sender's answer, or later truth (a late answer, a webhook)."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, related_name="receipts")
    action = models.ForeignKey(Action, on_delete=models.PROTECT, related_name="receipts")
    outcome = models.CharField(_("outcome"), max_length=10, choices=[(o.value, o.value) for o in Outcome])
    code = models.CharField(_("code"), max_length=60)
    result_id = models.CharField(_("result ID"), max_length=300, blank=True)
    result_url = models.CharField(max_length=1000, blank=True)
    marker = models.CharField(_("marker"), max_length=300, null=True)  # noqa: DJ001 - None: none was echoed
    http_status = models.PositiveSmallIntegerField(null=True)
    detail = models.CharField(max_length=500, blank=True)
    excerpt = models.TextField(blank=True)
    usage = models.JSONField(default=dict)
    late = models.BooleanField(_("late"), default=False)
    received_at = models.DateTimeField(_("received at"))

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["attempt"], condition=models.Q(late=False), name="receipt_one_in_time_an_attempt"
            )
        ]
        # receipts come in the order of time: a few kilobytes find those of the last days
        indexes = [BrinIndex(fields=["received_at"], name="receipt_by_time", autosummarize=True)]

    def __str__(self) -> str:
        return f"{self.outcome} {self.code}"


class Observation(models.Model):
    """One look at the target for one action."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    action = models.ForeignKey(Action, on_delete=models.PROTECT, related_name="observations", db_index=False)
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="observations", null=True)
    verdict = models.CharField(_("verdict"), max_length=12, choices=[(v.value, v.value) for v in Verdict])
    method = models.CharField(_("method"), max_length=100)
    complete = models.BooleanField(_("complete"))
    proves_absence = models.BooleanField(_("proves absence"), default=False)
    code = models.CharField(_("code"), max_length=60, blank=True)
    http_status = models.PositiveSmallIntegerField(null=True)
    objects_seen = models.JSONField(_("ours"), default=list)
    candidates = models.JSONField(_("candidates"), default=list)
    detail = models.CharField(max_length=500, blank=True)
    looked_at = models.DateTimeField(_("looked at"))  # when the look began, by the database's clock
    recorded_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(  # R5, the part that a row can say of itself
                condition=models.Q(proves_absence=False) | models.Q(verdict="absent", complete=True),
                name="observation_absence_needs_complete_look",
            )
        ]
        indexes = [
            models.Index(fields=["action", "-looked_at"], name="observation_latest"),
            BrinIndex(fields=["recorded_at"], name="observation_by_time", autosummarize=True),
        ]

    def __str__(self) -> str:
        return f"{self.verdict} {self.method}"


class Event(models.Model):
    """Who did what, when and why. One for every change of state: PostgreSQL refuses a commit without it."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    action = models.ForeignKey(Action, on_delete=models.PROTECT, related_name="events", db_index=False)
    run = models.ForeignKey(Run, on_delete=models.PROTECT, null=True, related_name="+")
    kind = models.CharField(_("kind"), max_length=40)
    revision = models.PositiveIntegerField(null=True)
    from_state = models.CharField(max_length=12, blank=True)
    to_state = models.CharField(max_length=12, blank=True)
    reason = models.CharField(_("reason"), max_length=60)
    actor = models.CharField(_("by"), max_length=150)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    data = models.JSONField(default=dict)
    at = models.DateTimeField(_("at"))

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["action", "revision"], name="event_one_a_change_of_state")
        ]
        indexes = [BrinIndex(fields=["at"], name="event_by_time", autosummarize=True)]

    def __str__(self) -> str:
        return f"{self.kind} {self.reason}"

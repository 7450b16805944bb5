"""One external effect of a task, and where it stands."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from once_delivery.ledger.models.deliveries import Task
from once_delivery.ledger.states import FINAL, NextStep, State
from once_delivery.targets.base import Kind, Presence
from once_delivery.targets.models import Target

_FINAL = sorted(FINAL)


class Action(models.Model):
    """Unique per (task, target, kind, slot). Its state is written by ledger/transitions.py alone."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # nothing is found by the project alone
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="actions", db_index=False)
    # no index of its own where a unique constraint begins with the column: each one is written at every change
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="actions", db_index=False)
    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="actions", db_index=False)
    kind = models.CharField(_("kind"), max_length=20, choices=[(kind.value, kind.value) for kind in Kind])
    slot = models.CharField(_("slot"), max_length=100)
    marker = models.CharField(_("marker"), max_length=64)
    client_id = models.UUIDField(_("client-chosen ID"))
    payload = models.JSONField(_("payload"))
    fingerprint = models.CharField(_("fingerprint"), max_length=64)

    state = models.CharField(_("state"), max_length=12, choices=State.choices, default=State.PLANNED)
    revision = models.PositiveIntegerField(default=0)  # one up with every change of state
    reason = models.CharField(_("reason"), max_length=60, default="requested")
    next_step = models.CharField(
        _("next step"), max_length=10, choices=NextStep.choices, default=NextStep.PERFORM
    )
    next_step_at = models.DateTimeField(_("next step at"), null=True)
    lease_token = models.UUIDField(null=True, editable=False)
    lease_until = models.DateTimeField(null=True)
    key_generation = models.PositiveIntegerField(default=1)
    sends = models.PositiveIntegerField(_("sends"), default=0)
    releases = models.PositiveIntegerField(_("sends that never left"), default=0)
    look_ups = models.PositiveIntegerField(_("look-ups"), default=0)
    # performed by an outside workflow that asks for a permit; fixed when the action is made
    by_permit = models.BooleanField(_("performed by a permit"), default=False, db_default=False)

    result_id = models.CharField(_("result ID"), max_length=300, blank=True, default="")
    result_url = models.CharField(_("result address"), max_length=1000, blank=True, default="")
    confirmed_at = models.DateTimeField(_("confirmed at"), null=True)
    presence = models.CharField(
        _("presence"),
        max_length=10,
        choices=[(p.value, p.value) for p in Presence],
        default=Presence.UNCHECKED,
    )
    # a newer input version takes the draft of an older one on, where the target's rule says so
    original = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="taken_on_by", db_index=False
    )
    base_version = models.CharField(
        max_length=200, blank=True, default="", db_default=""
    )  # the state that the update is for
    object_marker = models.CharField(
        max_length=64, blank=True, default="", db_default=""
    )  # "" where the object carries our own
    result_version = models.CharField(
        _("result version"), max_length=200, blank=True, default="", db_default=""
    )
    checked_at = models.DateTimeField(_("last checked at"), null=True)
    check_due_at = models.DateTimeField(null=True)
    state_since = models.DateTimeField(_("in this state since"))
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["task", "target", "kind", "slot"], name="action_once_an_identity"
            ),
            models.UniqueConstraint(fields=["target", "marker"], name="action_marker_once_a_target"),
            models.CheckConstraint(condition=Q(state__in=State.values), name="action_state_is_known"),
            models.CheckConstraint(condition=Q(kind__in=list(Kind)), name="action_kind_is_known"),
            models.CheckConstraint(
                condition=~Q(state__in=[State.CONFIRMED, State.ACCEPTED]) | ~Q(result_id=""),
                name="action_confirmed_has_result_id",
            ),
            models.CheckConstraint(
                condition=Q(state=State.SENDING, lease_token__isnull=False, lease_until__isnull=False)
                | (~Q(state=State.SENDING) & Q(lease_token__isnull=True, lease_until__isnull=True)),
                name="action_lease_while_sending_only",
            ),
            models.CheckConstraint(
                condition=Q(object_marker="", base_version="") | Q(original__isnull=False),
                name="action_updates_what_it_names",
            ),
            models.CheckConstraint(  # R13
                condition=Q(state__in=_FINAL, next_step=NextStep.NONE, next_step_at__isnull=True)
                | (~Q(state__in=_FINAL) & ~Q(next_step=NextStep.NONE) & Q(next_step_at__isnull=False)),
                name="action_open_has_next_step_and_time",
            ),
            models.CheckConstraint(  # the house never sends what somebody else performs
                condition=Q(by_permit=False) | ~Q(next_step__in=[NextStep.PERFORM, NextStep.REPLAY]),
                name="action_by_permit_is_not_sent",
            ),
            models.CheckConstraint(  # R4: nothing is sent from uncertain but a replay
                condition=~Q(state__in=[State.UNCERTAIN, State.RECONCILE, State.ACCEPTED])
                | ~Q(next_step=NextStep.PERFORM),
                name="action_uncertain_never_performs",
            ),
        ]
        indexes = [
            models.Index(
                "target",
                "next_step_at",
                "id",
                name="action_due_to_send",
                condition=Q(next_step__in=[NextStep.PERFORM, NextStep.REPLAY]),
            ),
            models.Index(
                "target",
                "next_step_at",
                "id",
                name="action_due_to_look_up",
                condition=Q(next_step=NextStep.LOOK_UP),
            ),
            models.Index(F("lease_until"), name="action_leased", condition=Q(state=State.SENDING)),
            models.Index(
                F("target"),
                F("check_due_at"),
                name="action_due_to_check",
                condition=Q(check_due_at__isnull=False),
            ),
            models.Index(
                fields=["project", "result_id"],
                opclasses=["int8_ops", "varchar_pattern_ops"],
                name="action_by_result",
                condition=~Q(result_id=""),
            ),
            models.Index("original", name="action_taken_on", condition=Q(original__isnull=False)),
            # what is not confirmed is little beside what is: lists ask for it, and counts need nothing else (sizes.py)
            models.Index(
                "project",
                "state",
                "task",
                name="action_not_confirmed",
                condition=~Q(state=State.CONFIRMED),
            ),
            # few at any time: how many, and since when the oldest is one
            models.Index(
                "state",
                "state_since",
                name="action_open_question",
                condition=Q(state__in=[State.UNCERTAIN, State.RECONCILE]),
            ),
            models.Index(
                "project",
                "state",
                "next_step_at",
                name="action_waits_for_person",
                condition=Q(next_step=NextStep.PERSON),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}:{self.slot}"


class Condition(models.TextChoices):
    """What the needed action must be before the other may be performed."""

    RESULT = "result", _("its result is needed")
    SETTLED = "settled", _("it must be resolved first")


class ActionNeed(models.Model):
    """``action`` may be performed only when ``needs`` is far enough."""

    action = models.ForeignKey(Action, on_delete=models.PROTECT, related_name="needs")
    needs = models.ForeignKey(Action, on_delete=models.PROTECT, related_name="needed_by")
    condition = models.CharField(max_length=10, choices=Condition.choices, default=Condition.RESULT)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["action", "needs"], name="action_need_once_a_pair"),
            models.CheckConstraint(condition=~Q(action=F("needs")), name="action_need_is_another"),
        ]

    def __str__(self) -> str:
        return f"{self.action_id} needs {self.needs_id}"

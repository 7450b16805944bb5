"""A permit: somebody outside performs an action, or looks for its result, and reports what came of it (DESIGN 6.3)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from once_delivery.ledger.models.action import Action
from once_delivery.ledger.models.evidence import Attempt
from once_delivery.ledger.models.run import Run


class PermitKind(models.TextChoices):
    PERFORM = "perform", _("perform")
    LOOK_UP = "look_up", _("look up")


class Permit(models.Model):
    """Given once, with a secret that is kept as a hash alone. One to perform is the outer side of one attempt.

    ``given_at`` is by the database's clock: a look that is made under a permit has begun no earlier. ``lease_until``
    moves with each heartbeat, together with the action's.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    action = models.ForeignKey(Action, on_delete=models.PROTECT, related_name="permits")
    attempt = models.OneToOneField(Attempt, on_delete=models.PROTECT, null=True, related_name="permit")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=10, choices=PermitKind.choices)
    secret_hash = models.CharField(max_length=64, unique=True)
    revision = models.PositiveIntegerField()  # of the action, when it was given
    given_to = models.CharField(_("given to"), max_length=150)
    given_at = models.DateTimeField(_("given at"))
    lease_until = models.DateTimeField(_("lease until"))
    reported = models.CharField(_("last report"), max_length=10, blank=True, default="")
    reported_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind=PermitKind.PERFORM, attempt__isnull=False)
                | Q(kind=PermitKind.LOOK_UP, attempt__isnull=True),
                name="permit_to_perform_has_attempt",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.action_id}"

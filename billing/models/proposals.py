"""What one person of finance proposed and a second one must agree to."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from billing.models.choices import Cause
from billing.models.duplicates import Duplicate
from billing.models.entries import CostEntry
from billing.models.suppliers import LineMatch
from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Attempt
from reconciliation.models import Approval


class Proposal(models.Model):
    """Who proposed it, and when: whoever agrees names the time, so that nobody agrees to what they have not read."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField(_("proposed at"))

    class Meta:
        abstract = True


class LineProposal(Proposal):
    """One open proposal a line; it goes when it is agreed to, withdrawn, or another takes its place."""

    match = models.OneToOneField(
        LineMatch, on_delete=models.CASCADE, primary_key=True, related_name="proposal"
    )
    answer = models.CharField(_("answer"), max_length=10)
    attempt = models.ForeignKey(
        Attempt, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    claim = models.CharField(_("claim number"), max_length=60, blank=True)
    note = models.CharField(_("note"), max_length=500, blank=True)

    def __str__(self) -> str:
        return f"{self.match_id} {self.answer}"


class EntryProposal(Proposal):
    """One open proposal an entry: to take it back, give its claim up, or say anew whose it is."""

    entry = models.OneToOneField(
        CostEntry, on_delete=models.CASCADE, primary_key=True, related_name="proposal"
    )
    change = models.CharField(_("change"), max_length=10)
    to = models.CharField(_("to whom, or to which cause"), max_length=24, blank=True)
    words = models.TextField(_("on which record"))

    def __str__(self) -> str:
        return f"{self.entry_id} {self.change}"


class Dropped(models.TextChoices):
    """Why nobody can agree to a proposal any more; it is shown until something else is proposed or decided."""

    PAIR = "pair", _("The pair has become another one, or was decided otherwise.")  # PostgreSQL says so too
    AMOUNT = "amount", _("What the two cost has changed.")


class DuplicateProposal(Proposal):
    """One open proposal a pair of assets: that they are one deliverable, or two, and whose fault that is.

    It is about the pair as it was, and what that had cost: when either has changed it is dropped.
    """

    duplicate = models.OneToOneField(
        Duplicate, on_delete=models.CASCADE, primary_key=True, related_name="proposal"
    )
    how = models.CharField(_("decision"), max_length=10)
    cause = models.CharField(_("cause"), max_length=24, choices=Cause.choices)
    record = models.TextField(_("on which record"))
    approval = models.ForeignKey(
        Approval, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )

    pair = models.CharField(max_length=64, default="")  # billing.pairs.mark_of
    amount = models.DecimalField(_("amount"), max_digits=20, decimal_places=6, default=0)
    dropped = models.CharField(_("dropped"), max_length=6, choices=Dropped.choices, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(dropped__in=["", *Dropped.values]), name="duplicate_proposal_dropped_is_known"
            )
        ]

    def __str__(self) -> str:
        return f"{self.duplicate_id} {self.how}"

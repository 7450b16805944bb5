"""Pairs of assets that are, or may be, one deliverable, and everything that was decided about each pair."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least
from django.utils.translation import gettext_lazy as _

from billing.models.choices import Cause
from once_delivery.accounts.models import Project
from once_delivery.review.models import Asset, Draft
from reconciliation.models import Approval, Finding


class DuplicateStatus(models.TextChoices):
    SUGGESTED = "suggested", _("suggested by likeness")  # for a person to decide
    DECIDED = "decided", _("duplicate")
    DISMISSED = "dismissed", _("not a duplicate")
    WANTED = "wanted", _("wanted variant")  # the client asked for both: it counts


SAID_TO_BE_TWO = (DuplicateStatus.DISMISSED, DuplicateStatus.WANTED)


class Reopened(models.TextChoices):
    """Why a pair that was decided is to be decided anew."""

    TEXT = "text", _("The text of one of the two has changed since it was decided.")
    PERSON = "person", _("A person opened it again.")
    OTHERS = "others", _("Both were said to be one with others.")


class _Said(models.Model):
    """What is said of a pair, by whom and on which record."""

    status = models.CharField(max_length=9, choices=DuplicateStatus.choices)
    # marker, content, or "" by a person
    certain_by = models.CharField(_("certain by"), max_length=20, blank=True)
    cause = models.CharField(_("cause"), max_length=24, choices=Cause.choices, default=Cause.UNDETERMINED)
    approval = models.ForeignKey(
        Approval, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    record = models.TextField(_("on which record"), blank=True)
    reopened = models.CharField(_("opened again"), max_length=6, choices=Reopened.choices, blank=True)
    # the texts that it was said of
    asset_draft = models.ForeignKey(
        Draft, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    survivor_draft = models.ForeignKey(
        Draft, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    second = models.ForeignKey(  # who agreed, where it takes two people
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    decided_at = models.DateTimeField(_("decided at"), null=True)

    class Meta:
        abstract = True


class Duplicate(_Said):
    """Two assets and what holds of them now: one row a pair, ``asset`` the one accepted later.

    Pairs that are decided to be duplicates make groups: what is joined by them is one deliverable, and no two of a group
    are said to be two (PostgreSQL).
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    asset = models.ForeignKey(Asset, on_delete=models.PROTECT, related_name="+")
    survivor = models.ForeignKey(Asset, on_delete=models.PROTECT, related_name="+")
    finding = models.ForeignKey(
        Finding, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    # the pair whose decision, about earlier acceptances of the same two tasks, this one follows or asks about again
    follows = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+")
    found_at = models.DateTimeField(_("found at"))

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Least("asset", "survivor"), Greatest("asset", "survivor"), name="duplicate_once_a_pair"
            ),
            models.CheckConstraint(condition=~Q(asset=F("survivor")), name="duplicate_of_another"),
            models.CheckConstraint(
                condition=Q(status__in=DuplicateStatus.values), name="duplicate_status_is_known"
            ),
            models.CheckConstraint(
                condition=Q(reopened__in=["", *Reopened.values]), name="duplicate_reopened_is_known"
            ),
        ]
        indexes = [models.Index(fields=["project", "status", "found_at"], name="duplicate_by_status")]

    def __str__(self) -> str:
        return f"{self.asset_id} ~ {self.survivor_id}"


class DuplicateDecision(_Said):
    """One thing that was said of a pair, and stays for ever. PostgreSQL writes it whenever the pair's row changes."""

    duplicate = models.ForeignKey(Duplicate, on_delete=models.PROTECT, related_name="decisions")
    at = models.DateTimeField(_("at"))

    def __str__(self) -> str:
        return f"{self.duplicate_id} {self.status}"

"""A target: one place that holds results, what it claims, and how to reach it."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from once_delivery.targets.inside import may_go_inside
from once_delivery.targets.probing.findings import Claim
from once_delivery.targets.probing.standing import weakened
from once_delivery.targets.profile import Profile, stored_profile


class Target(models.Model):
    """One WordPress site, bucket, generation service; belongs to one project."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="targets")
    name = models.SlugField(_("name"), max_length=50)
    kind = models.CharField(_("kind"), max_length=30)
    base_url = models.CharField(_("address"), max_length=500, blank=True)
    declaration = models.JSONField(_("declaration"), default=dict, blank=True)
    profile_data = models.JSONField(_("capability profile"), default=dict)
    # what stands refuted of it, by claim (services/judge_target.py writes it): sends and decisions read it each time
    refuted = models.JSONField(default=dict, blank=True, editable=False)
    credentials_sealed = models.BinaryField(_("credentials"), default=b"", editable=False)
    credentials_at = models.DateTimeField(_("credentials set at"), null=True, editable=False)
    allow_inside = models.BooleanField(_("inside addresses allowed"), default=False)
    is_test = models.BooleanField(_("test target"), default=False)
    # a drill's own: its processes alone work on it, or the house would perform what must stay undone
    by_hand = models.BooleanField(default=False, db_default=False, editable=False)
    # made by a drill for itself, for good: what it holds is no content, so nobody reviews or counts it (review/sql)
    of_drill = models.BooleanField(default=False, db_default=False, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="target_name_once_a_project")]

    def __str__(self) -> str:
        return self.name

    @property
    def may_go_inside(self) -> bool:
        """Whether its address may be dialled where it leads inside this network; the row alone does not say so."""
        return may_go_inside(self.base_url, allow_inside=self.allow_inside)

    @property
    def claimed_profile(self) -> Profile:
        """What the target claims; raises InvalidInputError when the stored profile does not fit the schema."""
        return stored_profile(self.profile_data)

    @property
    def profile(self) -> Profile:
        """What may be relied on: the claims without what a probe refuted (``probing/standing.py`` has the rule).

        Raises InvalidInputError when the stored profile does not fit the schema.
        """
        return weakened(self.claimed_profile, map(Claim, self.refuted))

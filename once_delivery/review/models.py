"""Drafts as the targets hold them, what people decided about them, and the assets that follow."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Action, Product, Task


class Draft(models.Model):
    """One text that the target's object has had, as it was read there; the same text again is the same row."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    action = models.ForeignKey(Action, on_delete=models.PROTECT, related_name="drafts", db_index=False)
    content = models.JSONField(_("content"))  # by the names of the payload: title, body, …
    content_hash = models.CharField(_("content hash"), max_length=64)
    version = models.CharField(_("version"), max_length=200, blank=True)
    status = models.CharField(_("status at the target"), max_length=60, blank=True)
    url = models.CharField(_("address"), max_length=1000, blank=True)
    first_read_at = models.DateTimeField(_("first read at"))
    read_at = models.DateTimeField(_("last read at"))

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["action", "content_hash"], name="draft_once_a_content"),
        ]
        indexes = [models.Index(fields=["action", "-read_at"], name="draft_latest")]

    def __str__(self) -> str:
        return f"{self.action_id} {self.content_hash[:8]}"


class Verdict(models.TextChoices):
    """What may be decided about a draft."""

    ACCEPTED = "accepted", pgettext_lazy("review", "accepted")
    CHANGES = "changes", pgettext_lazy("review", "changes asked for")
    REJECTED = "rejected", pgettext_lazy("review", "rejected")
    WITHDRAWN = "withdrawn", pgettext_lazy("review", "taken back")


class Reason(models.TextChoices):
    """Why not."""

    FACTS = "facts", _("facts are wrong")
    BRIEF = "brief", _("not what the brief asks for")
    LANGUAGE = "language", _("language or spelling")
    TONE = "tone", _("tone or brand voice")
    IMAGES = "images", _("images")
    LEGAL = "legal", _("legal or compliance")
    FORM = "form", _("structure or formatting")
    OTHER = "other", _("something else")


class ApprovalLink(models.Model):
    """Lets somebody without an account decide one task; only the hash of its secret is kept."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="approval_links")
    secret_hash = models.CharField(max_length=64, unique=True)
    approver = models.CharField(_("for whom"), max_length=200)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(_("created at"))
    expires_at = models.DateTimeField(_("valid until"))
    revoked_at = models.DateTimeField(_("revoked at"), null=True)

    def __str__(self) -> str:
        return f"{self.approver} {self.uuid}"


class Review(models.Model):
    """One decision of one person about one text. Append-only, enforced by PostgreSQL (R10)."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="reviews")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="reviews")
    draft = models.ForeignKey(Draft, on_delete=models.PROTECT, related_name="reviews")
    verdict = models.CharField(_("decision"), max_length=10, choices=Verdict.choices)
    reasons = models.JSONField(_("reasons"), default=list)
    text = models.TextField(_("in words"), blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="reviews"
    )
    link = models.ForeignKey(ApprovalLink, on_delete=models.PROTECT, null=True, related_name="reviews")
    at = models.DateTimeField(_("at"))

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(verdict__in=Verdict.values), name="review_verdict_is_known"),
            models.CheckConstraint(
                condition=Q(user__isnull=False, link__isnull=True) | Q(user__isnull=True, link__isnull=False),
                name="review_by_one_person",
            ),
        ]
        indexes = [models.Index(fields=["task", "-at"], name="review_latest")]

    def __str__(self) -> str:
        return f"{self.verdict} {self.task_id}"


class Asset(models.Model):
    """An accepted deliverable: what accounting counts. One a task; taken back, it counts no more."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="assets")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="assets")
    action = models.ForeignKey(Action, on_delete=models.PROTECT, related_name="+")
    review = models.ForeignKey(Review, on_delete=models.PROTECT, related_name="+")
    draft = models.ForeignKey(Draft, on_delete=models.PROTECT, related_name="+")
    accepted_at = models.DateTimeField(_("accepted at"))
    withdrawn_at = models.DateTimeField(_("taken back at"), null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["task"], condition=Q(withdrawn_at__isnull=True), name="asset_one_a_task"
            )
        ]
        indexes = [models.Index(fields=["project", "accepted_at"], name="asset_by_time")]

    def __str__(self) -> str:
        return f"{self.task}"


class Comment(models.Model):
    """Words about a task, beside its decisions."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="comments")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    text = models.TextField(_("comment"))
    at = models.DateTimeField(_("at"))

    def __str__(self) -> str:
        return self.text[:40]


class Seen(models.Model):
    """The text that a person looked at last: a later one is "changed since I looked"."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+", db_index=False)
    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="+", db_index=False)
    at = models.DateTimeField(_("at"))
    # the text that was read last is another one; kept by PostgreSQL (review/sql/visible.sql)
    changed = models.BooleanField(default=False, db_default=False, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "task"], name="seen_once_a_person")]
        indexes = [models.Index(fields=["user"], name="seen_and_changed", condition=Q(changed=True))]

    def __str__(self) -> str:
        return f"{self.user_id} {self.draft_id}"


class ReviewState(models.TextChoices):
    """How a draft stands with the people who decide about it. PostgreSQL says which (review/sql/visible.sql)."""

    WAITS = "waits", pgettext_lazy("review", "waits for review")
    CHANGED = "changed", pgettext_lazy("review", "accepted, but changed since")
    CHANGES = "changes", pgettext_lazy("review", "changes asked for")
    REJECTED = "rejected", pgettext_lazy("review", "rejected")
    ACCEPTED = "accepted", pgettext_lazy("review", "accepted")


TO_DO = (ReviewState.WAITS, ReviewState.CHANGED)


class VisibleDraft(models.Model):
    """The one draft of a task that people see: its first confirmed one, unless a newer version took the object over.

    Kept by PostgreSQL when an action is confirmed, a draft read and a decision made; never written here. What stands
    beside ``action`` is the task's and never changes; it is here so that lists find their page by one index.
    """

    task = models.OneToOneField(
        Task, on_delete=models.CASCADE, primary_key=True, related_name="visible_draft"
    )
    action = models.ForeignKey(Action, on_delete=models.CASCADE, related_name="+", db_index=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    product = models.ForeignKey(
        Product, on_delete=models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    locale = models.CharField(max_length=35)
    purpose = models.CharField(max_length=100)
    state = models.CharField(_("state of review"), max_length=10, choices=ReviewState.choices)
    # of what is to be decided: since when it is; else when it was decided
    since = models.DateTimeField(_("since"))
    # the text that was read last; None: nobody has read it yet
    latest = models.ForeignKey(
        Draft, on_delete=models.CASCADE, null=True, related_name="+", db_index=False, db_constraint=False
    )
    # the latest decision about the task, taken back or not
    review = models.ForeignKey(
        Review, on_delete=models.CASCADE, null=True, related_name="+", db_index=False, db_constraint=False
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=ReviewState.values), name="visible_draft_state_is_known"
            )
        ]
        indexes = [
            models.Index(fields=["project", "state", "product", "task"], name="visible_draft_by_state"),
            models.Index(
                fields=["project", "locale", "state", "product", "task"], name="visible_draft_by_locale"
            ),
            models.Index(
                fields=["project", "purpose", "state", "product", "task"], name="visible_draft_by_purpose"
            ),
            models.Index(
                fields=["project", "since"], name="visible_draft_to_do", condition=Q(state__in=list(TO_DO))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task_id} {self.state}"

"""The draft of a task that people see, and how it stands."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Action, Product, Task
from once_delivery.review.models.drafts import Draft
from once_delivery.review.models.reviews import Review


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

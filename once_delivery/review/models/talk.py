"""What people said about tasks, and what they have looked at."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Task
from once_delivery.review.models.drafts import Draft


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

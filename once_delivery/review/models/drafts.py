"""Drafts as the targets hold them."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Action


class Draft(models.Model):
    """One text that the target's object has had, as it was read there; the same text again is the same row."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    action = models.ForeignKey(Action, on_delete=models.PROTECT, related_name="drafts", db_index=False)
    content = models.JSONField(_("content"))  # by the names of the payload: title, body, …
    content_hash = models.CharField(_("content hash"), max_length=64)
    # of what is read of it alone (review/text.py): two tasks may hold one text. "": nothing, or it is not known
    text_hash = models.CharField(max_length=64, blank=True, default="", db_default="")
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

"""Titles of drafts, beside the actions: the index is written once and not at every change of a state."""

from __future__ import annotations

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from once_delivery.ledger.models.action import Action


class Title(models.Model):
    """What an action's payload calls its draft. ``words`` carry the project, so that only its own are read."""

    action = models.OneToOneField(Action, on_delete=models.CASCADE, primary_key=True, related_name="title")
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+", db_index=False)
    text = models.CharField(_("title"), max_length=300)
    words = SearchVectorField()

    class Meta:
        indexes = [GinIndex(fields=["words"], name="title_words")]

    def __str__(self) -> str:
        return self.text

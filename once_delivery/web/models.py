"""How a person wants to see lists: filters under a name."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class SavedView(models.Model):
    """Filters of one page that a person keeps; ``query`` is what stands in the address."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="saved_views")
    page = models.CharField(max_length=20)
    name = models.CharField(_("name"), max_length=60)
    query = models.CharField(max_length=1000, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "page", "name"], name="saved_view_name_once_a_page")
        ]

    def __str__(self) -> str:
        return self.name

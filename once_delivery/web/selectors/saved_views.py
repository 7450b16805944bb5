"""The views of a list that a person keeps."""

from __future__ import annotations

from django.db.models import QuerySet

from once_delivery.accounts.models import User
from once_delivery.web.models import SavedView


def views_of(user: User, page: str) -> QuerySet[SavedView]:
    """By name."""
    return SavedView.objects.filter(user=user, page=page).order_by("name")

"""Which rule of forgetting holds for a project."""

from __future__ import annotations

from django.db.models import OuterRef, Subquery

from once_delivery.accounts.models import Project
from once_delivery.retention.models import ForgettingRule


def rule_of(project: Project) -> ForgettingRule | None:
    """The one that holds; None where nobody ever set one, and then everything is kept."""
    return ForgettingRule.objects.filter(project=project).select_related("set_by").order_by("-pk").first()


def rules_that_forget() -> list[ForgettingRule]:
    """The rules that hold now, of projects that do not keep everything."""
    latest = ForgettingRule.objects.filter(project=OuterRef("project")).order_by("-pk").values("pk")[:1]
    found = ForgettingRule.objects.filter(pk=Subquery(latest), after_days__isnull=False)
    return list(found.select_related("project").order_by("project"))

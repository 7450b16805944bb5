"""What the ledger of units says of assets: which count, and which it knows nothing of."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet, Sum

from billing.models import UnitEntry
from once_delivery.accounts.models import Project
from once_delivery.review.models import Asset


def counting(project: Project) -> QuerySet[Asset]:
    """Assets whose units sum to 1."""
    return Asset.objects.filter(project=project).annotate(units=Sum("unit_entries__sign")).filter(units=1)


def not_counted_yet(project: Project) -> QuerySet[Asset]:
    """Assets that the ledger of units knows nothing of."""
    entries = UnitEntry.objects.filter(asset=OuterRef("pk"))
    return Asset.objects.filter(~Exists(entries), project=project)

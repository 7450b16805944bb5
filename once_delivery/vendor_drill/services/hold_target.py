"""A target leads where it led when a vendor's drill was agreed on, for as long as that is under way."""

from __future__ import annotations

from once_delivery.targets.models import Target
from once_delivery.vendor_drill.errors import TargetHeldError
from once_delivery.vendor_drill.models import VendorDrill
from once_delivery.vendor_drill.models.drill import UNDER_WAY


def refuse_under_way(target: Target) -> None:
    """Raises TargetHeldError. ``ask_drill`` locks the same row, so that none is agreed on meanwhile."""
    if VendorDrill.objects.filter(target=target, status__in=UNDER_WAY).exists():
        raise TargetHeldError(target=target.name)

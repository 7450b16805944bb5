"""Which drills must be counted, and nobody does."""

from __future__ import annotations

from datetime import timedelta

from once_delivery.ledger.clock import database_now
from once_delivery.vendor_drill.models import VendorDrill, VendorDrillStatus

WAKE_AGAIN = timedelta(seconds=30)


def unattended_drills() -> list[int]:
    """Drills that wait to be counted although a worker was told: marked as told again."""
    now = database_now()
    waiting = VendorDrill.objects.filter(
        status__in=[VendorDrillStatus.ASKED, VendorDrillStatus.COUNTING], woken_at__lt=now - WAKE_AGAIN
    )
    told = list(waiting.values_list("pk", flat=True))
    VendorDrill.objects.filter(pk__in=told).update(woken_at=now)
    return told

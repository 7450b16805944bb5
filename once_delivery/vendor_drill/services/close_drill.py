"""Close a drill: nothing more is forwarded."""

from __future__ import annotations

from django.db import transaction

from once_delivery.accounts.models import User
from once_delivery.ledger.clock import database_now
from once_delivery.vendor_drill.errors import NotOpenError
from once_delivery.vendor_drill.models import VendorDrill, VendorDrillStatus


def close_drill(*, drill: VendorDrill, user: User | None) -> VendorDrill:
    """Afterwards it waits to be counted (``judge_drill``). Raises NotOpenError. A closed one stays as it was closed."""
    with transaction.atomic():
        held = VendorDrill.objects.select_for_update().get(pk=drill.pk)
        if held.status == VendorDrillStatus.OPEN:
            now = database_now()
            VendorDrill.objects.filter(pk=drill.pk).update(
                status=VendorDrillStatus.COUNTING, closed_at=now, closed_by=user, woken_at=now
            )
        elif held.status != VendorDrillStatus.COUNTING:
            raise NotOpenError
    drill.refresh_from_db()
    return drill


def close_overdue() -> list[int]:
    """Drills whose time is over are closed; their IDs."""
    due = VendorDrill.objects.filter(status=VendorDrillStatus.OPEN, ends_at__lte=database_now())
    closed = []
    for pk in due.values_list("pk", flat=True):
        now = database_now()
        if VendorDrill.objects.filter(pk=pk, status=VendorDrillStatus.OPEN).update(
            status=VendorDrillStatus.COUNTING, closed_at=now, woken_at=now
        ):
            closed.append(pk)
    return closed

"""Count the target before, and open the proxy's door."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction

from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from once_delivery.vendor_drill.counting import count
from once_delivery.vendor_drill.errors import AlreadyThereError
from once_delivery.vendor_drill.models import InventoryRow, Moment, VendorDrill, VendorDrillStatus
from once_delivery.vendor_drill.troubles import trouble_of
from once_delivery.vendor_drill.words import reading

CHUNK = 1000
_NAMED = 3


def open_drill(*, drill: VendorDrill) -> VendorDrill:
    """Afterwards it is open until its time limit, or broken with the reason. Again changes nothing.

    Raises CannotBeCountedError or AlreadyThereError, after the row says so.
    """
    try:
        rows = count(drill, Moment.BEFORE)
        _refuse_old(drill, rows)
    except DomainError as error:
        VendorDrill.objects.filter(pk=drill.pk, status=VendorDrillStatus.ASKED).update(
            status=VendorDrillStatus.BROKEN, ended_at=database_now(), trouble=trouble_of(error)
        )
        drill.refresh_from_db()
        raise
    with transaction.atomic():
        held = VendorDrill.objects.select_for_update().get(pk=drill.pk)
        if held.status == VendorDrillStatus.ASKED:
            InventoryRow.objects.bulk_create(rows, batch_size=CHUNK)
            now = database_now()
            VendorDrill.objects.filter(pk=drill.pk).update(
                status=VendorDrillStatus.OPEN, opened_at=now, ends_at=now + timedelta(seconds=held.limit_s)
            )
    drill.refresh_from_db()
    return drill


def _refuse_old(drill: VendorDrill, rows: list[InventoryRow]) -> None:
    """What bears an agreed value already would be taken for the vendor's work."""
    wanted = {reading(one) for one in drill.values}
    there = [one.title for one in rows if not one.trashed and one.title and reading(one.title) in wanted]
    if there:
        more = f" (+{len(there) - _NAMED})" if len(there) > _NAMED else ""
        raise AlreadyThereError(titles=", ".join(there[:_NAMED]) + more)

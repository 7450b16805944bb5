"""A few lines each: the counting before and after is done by a worker, since a large target takes a while."""

from __future__ import annotations

from contextlib import suppress

from celery import shared_task

from once_delivery.common.errors import DomainError
from once_delivery.vendor_drill.models import VendorDrill, VendorDrillStatus
from once_delivery.vendor_drill.services.close_drill import close_overdue
from once_delivery.vendor_drill.services.judge_drill import judge_drill
from once_delivery.vendor_drill.services.open_drill import open_drill
from once_delivery.vendor_drill.services.wake_drills import unattended_drills


@shared_task(name="once_delivery.vendor_drill.tasks.count")
def count(drill_id: int) -> None:
    """Count before, or after and judge: what the row says. What goes wrong stands in the row."""
    drill = VendorDrill.objects.select_related("target", "project").filter(pk=drill_id).first()
    with suppress(DomainError):
        if drill is None:
            return
        if drill.status == VendorDrillStatus.ASKED:
            open_drill(drill=drill)
        elif drill.status == VendorDrillStatus.COUNTING:
            judge_drill(drill=drill)


@shared_task(name="once_delivery.vendor_drill.tasks.wake_vendor_drills")
def wake_vendor_drills() -> None:
    """Time limits end drills, and drills whose message was lost are told again."""
    for drill_id in {*close_overdue(), *unattended_drills()}:
        count.delay(drill_id)

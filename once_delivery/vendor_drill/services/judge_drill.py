"""Count the target after, and judge: the drill is over."""

from __future__ import annotations

import time
from datetime import timedelta

from django.db import transaction

from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from once_delivery.vendor_drill.counting import count
from once_delivery.vendor_drill.errors import NotListedError, NotOpenError, StillUnderWayError
from once_delivery.vendor_drill.evidence import calls_of, facts_of
from once_delivery.vendor_drill.judging import judge
from once_delivery.vendor_drill.models import (
    InventoryRow,
    ItemVerdict,
    Moment,
    RecordedCall,
    VendorDrill,
    VendorDrillStatus,
)
from once_delivery.vendor_drill.troubles import trouble_of

CHUNK = 1000
LANDS_WITHIN = timedelta(seconds=30)  # what has no end by then ended with the proxy
WAIT_S = 35.0
GIVEN_UP_AFTER = timedelta(hours=1)


def judge_drill(*, drill: VendorDrill, wait_s: float = WAIT_S) -> VendorDrill:
    """Afterwards it has a verdict for each item. Of one that is judged already, nothing changes.

    Raises NotOpenError when it is not closed, StillUnderWayError or CannotBeCountedError when it must be tried again.
    """
    drill.refresh_from_db()
    if drill.is_over:
        return drill
    if drill.status != VendorDrillStatus.COUNTING:
        raise NotOpenError
    try:
        _wait_for_ends(drill, wait_s)
        made = [call.names for call in calls_of(drill) if call.made and call.names]
        known = frozenset(name for names in made for name in names)
        rows = count(drill, Moment.AFTER, known=known | _before(drill), made=made)
    except DomainError as error:
        _note_trouble(drill, error)
        raise
    with transaction.atomic():
        held = VendorDrill.objects.select_for_update().get(pk=drill.pk)
        if held.status == VendorDrillStatus.COUNTING:
            InventoryRow.objects.bulk_create(rows, batch_size=CHUNK)
            verdicts = judge(facts_of(held))
            ItemVerdict.objects.bulk_create(
                ItemVerdict(drill=held, item=one.item, passed=one.passed, why=one.why, evidence=one.evidence)
                for one in verdicts
            )
            VendorDrill.objects.filter(pk=held.pk).update(
                status=VendorDrillStatus.FINISHED if _by_hand(held) else VendorDrillStatus.EXPIRED,
                ended_at=database_now(),
                trouble={},
            )
    drill.refresh_from_db()
    return drill


def _by_hand(drill: VendorDrill) -> bool:
    """Closed before its time was over, by whomever."""
    return drill.closed_at is not None and drill.ends_at is not None and drill.closed_at < drill.ends_at


def _before(drill: VendorDrill) -> frozenset[str]:
    before = InventoryRow.objects.filter(drill=drill, moment=Moment.BEFORE)
    return frozenset(before.values_list("result_id", flat=True))


def _wait_for_ends(drill: VendorDrill, wait_s: float) -> None:
    """A request that is still on its way may land after the count."""
    until = time.monotonic() + wait_s
    while open_calls := _without_end(drill):
        if time.monotonic() >= until:
            raise StillUnderWayError(count=open_calls)
        time.sleep(0.1)


def _without_end(drill: VendorDrill) -> int:
    closed = drill.closed_at or drill.asked_at
    if database_now() - closed > LANDS_WITHIN:
        return 0
    return RecordedCall.objects.filter(drill=drill, answer=None).count()


def _note_trouble(drill: VendorDrill, error: DomainError) -> None:
    found = VendorDrill.objects.filter(pk=drill.pk, status=VendorDrillStatus.COUNTING)
    found.update(trouble=trouble_of(error))
    # with another account the count before would be another one too
    if not isinstance(error, NotListedError):
        found = found.filter(closed_at__lt=database_now() - GIVEN_UP_AFTER)
    found.update(status=VendorDrillStatus.BROKEN, ended_at=database_now())
    drill.refresh_from_db()

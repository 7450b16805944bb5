"""Write down a request before the target sees it, and say which fault strikes it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import IntegrityError, connection, transaction

from once_delivery.vendor_drill.errors import NotOpenError
from once_delivery.vendor_drill.items import items_of
from once_delivery.vendor_drill.models import Recognise, RecordedAnswer, RecordedCall, VendorDrill

_CREATING = frozenset({"POST", "PUT"})


@dataclass(frozen=True, slots=True)
class Seen:
    """``path``: below the target's address, fit to be stored. ``value``: what stands at the agreed place."""

    method: str
    path: str
    value: str = ""
    body_sha256: str = ""


@dataclass(frozen=True, slots=True)
class Recorded:
    """``item``: letter or "". ``fault``: what strikes it, once in the whole drill."""

    call_id: int
    item: str = ""
    creates: bool = False
    fault: str = ""


def record_call(*, drill_id: int, seen: Seen) -> Recorded:
    """The row is committed; raises NotOpenError, and then nothing may be forwarded."""
    try:
        with transaction.atomic():
            if seen.method not in _CREATING:
                return _kept(drill_id, seen, item="", creates=False, fault="")
            # one at a time: by order the second must know the first, and a fault strikes once
            drill = VendorDrill.objects.select_for_update().get(pk=drill_id)
            item, creates = _recognised(drill, seen)
            fault = _fault_of(drill, item) if creates else ""
            return _kept(drill_id, seen, item=item, creates=creates, fault=fault)
    except IntegrityError as error:
        raise NotOpenError from error


def lose_nothing_but_speed() -> None:
    """Commits of this connection need not wait for the disk: a power cut ends the drill, not a delivery."""
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit TO off")


def _kept(drill_id: int, seen: Seen, *, item: str, creates: bool, fault: str) -> Recorded:
    row = RecordedCall.objects.create(
        drill_id=drill_id,
        method=seen.method,
        path=seen.path,
        item=item,
        creates=creates,
        fault=fault,
        body_sha256=seen.body_sha256,
    )
    return Recorded(row.pk, item, creates, fault)


def _recognised(drill: VendorDrill, seen: Seen) -> tuple[str, bool]:
    if drill.creates_at and not seen.path.partition("?")[0].startswith(drill.creates_at):
        return "", False
    if drill.recognise == Recognise.ORDER:
        return _by_order(drill, seen)
    wanted = seen.value.strip().casefold()
    item = next(
        (
            one.letter
            for one in items_of(drill.count, drill.values, drill.faults)
            if wanted and one.value.casefold() == wanted
        ),
        "",
    )
    return item, bool(item) and not _changes_one(drill, seen)


def _by_order(drill: VendorDrill, seen: Seen) -> tuple[str, bool]:
    """The same body to the same path is the same item; another one is the next, until all have come."""
    if not seen.body_sha256 or _changes_one(drill, seen):
        return "", False
    creating = RecordedCall.objects.filter(drill=drill, creates=True)
    again = (
        creating.filter(body_sha256=seen.body_sha256, path=seen.path).values_list("item", flat=True).first()
    )
    if again:
        return again, True
    come = creating.values("item").distinct().count()
    return (drill.letters[come], True) if come < drill.count else ("", False)


def _changes_one(drill: VendorDrill, seen: Seen) -> bool:
    """It names an object that the drill has made: a change of it, unless it is the very request that made it."""
    parts = set(seen.path.partition("?")[0].split("/"))
    made = RecordedAnswer.objects.filter(call__drill=drill, call__creates=True).values_list(
        "names", flat=True
    )
    if not any(parts & set(names) for names in made):
        return False
    return not RecordedCall.objects.filter(
        drill=drill, creates=True, method=seen.method, path=seen.path
    ).exists()


def _fault_of(drill: VendorDrill, item: str) -> str:
    wanted = next(
        (one.fault for one in items_of(drill.count, drill.values, drill.faults) if one.letter == item), None
    )
    if wanted is None or RecordedCall.objects.filter(drill=drill, fault=wanted).exists():
        return ""
    return str(wanted)

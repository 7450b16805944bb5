"""Write down a request before the target sees it, and say which fault strikes it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import IntegrityError, connection, transaction

from once_delivery.vendor_drill.errors import NotOpenError
from once_delivery.vendor_drill.items import Item
from once_delivery.vendor_drill.models import Recognise, RecordedAnswer, RecordedCall, VendorDrill
from once_delivery.vendor_drill.paths import begins, steps_of
from once_delivery.vendor_drill.services.open_door import Terms

_CREATING = frozenset({"POST", "PUT"})
_METHOD_LONGEST = 20


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


def record_call(*, terms: Terms, seen: Seen) -> Recorded:
    """The row is committed; raises NotOpenError, and then nothing may be forwarded."""
    by_order = terms.recognise == Recognise.ORDER
    item = None if by_order else _named(terms, seen)
    could_create = seen.method in _CREATING and begins(seen.path, terms.creates_at)
    try:
        if not could_create or not (by_order or item):
            return _kept(terms, seen)
        with transaction.atomic():
            # one at a time: by order the second must know the first, and a fault strikes once
            VendorDrill.objects.select_for_update().only("pk").get(pk=terms.drill_id)
            creates = not _changes_one(terms, seen)
            if by_order:
                item = _by_order(terms, seen) if creates else None
            fault = _fault_of(terms, item) if creates and item else ""
            return _kept(terms, seen, item=item, creates=creates, fault=fault)
    except IntegrityError as error:
        raise NotOpenError from error


def lose_nothing_but_speed() -> None:
    """Commits of this connection need not wait for the disk: a power cut ends the drill, not a delivery."""
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit TO off")


def _kept(
    terms: Terms, seen: Seen, *, item: Item | None = None, creates: bool = False, fault: str = ""
) -> Recorded:
    letter = item.letter if item else ""
    row = RecordedCall.objects.create(
        drill_id=terms.drill_id,
        method=seen.method[:_METHOD_LONGEST],
        path=seen.path,
        item=letter,
        creates=creates and item is not None,
        fault=fault,
        body_sha256=seen.body_sha256,
    )
    return Recorded(row.pk, letter, row.creates, fault)


def _named(terms: Terms, seen: Seen) -> Item | None:
    wanted = seen.value.strip().casefold()
    return next((one for one in terms.items if wanted and one.value.casefold() == wanted), None)


def _by_order(terms: Terms, seen: Seen) -> Item | None:
    """The same body to the same path is the same item; another one is the next, until all have come."""
    if not seen.body_sha256:
        return None
    creating = RecordedCall.objects.filter(drill=terms.drill_id, creates=True)
    again = (
        creating.filter(body_sha256=seen.body_sha256, path=seen.path).values_list("item", flat=True).first()
    )
    if again:
        return next(one for one in terms.items if one.letter == again)
    come = creating.values("item").distinct().count()
    return terms.items[come] if come < len(terms.items) else None


def _changes_one(terms: Terms, seen: Seen) -> bool:
    """It names an object that the drill has made: a change of it, unless it is the very request that made it."""
    steps = steps_of(seen.path)
    made = RecordedAnswer.objects.filter(call__drill=terms.drill_id, call__creates=True)
    if not any(steps & set(names) for names in made.values_list("names", flat=True)):
        return False
    return not RecordedCall.objects.filter(
        drill=terms.drill_id, creates=True, method=seen.method, path=seen.path
    ).exists()


def _fault_of(terms: Terms, item: Item) -> str:
    if item.fault is None or RecordedCall.objects.filter(drill=terms.drill_id, fault=item.fault).exists():
        return ""
    return str(item.fault)

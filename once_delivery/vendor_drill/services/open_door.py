"""What the proxy must know of a drill, by the secret in an address."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hmac import compare_digest

from once_delivery.accounts.secret_links import hash_of
from once_delivery.ledger.clock import database_now
from once_delivery.vendor_drill.items import Item, items_of
from once_delivery.vendor_drill.models import RecordedAnswer, RecordedCall, VendorDrill, VendorDrillStatus


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed on, which never changes, and how it stands.

    ``left_s``: until the time limit, by the database's clock; 0 and less when it is not open. ``names``: what the
    items' objects are called, by letter, as far as answers have told.
    """

    drill_id: int
    status: str
    left_s: float
    base_url: str = field(repr=False)
    allow_inside: bool
    recognise: str
    place: str
    creates_at: str
    items: Sequence[Item]
    slow_s: float
    race_s: float
    calls: int
    names: Mapping[str, frozenset[str]]


def terms_of(*, secret: str) -> Terms | None:
    """None when no drill has this secret."""
    wanted = hash_of(secret)
    drill = VendorDrill.objects.filter(secret_hash=wanted).select_related("target").first()
    if drill is None or not compare_digest(drill.secret_hash, wanted):
        return None
    return Terms(
        drill_id=drill.pk,
        status=drill.status,
        left_s=_left(drill.status, drill.ends_at),
        base_url=drill.target.base_url,
        allow_inside=drill.target.may_go_inside,
        recognise=drill.recognise,
        place=drill.place,
        creates_at=drill.creates_at,
        items=items_of(drill.count, drill.values, drill.faults),
        slow_s=drill.slow_s,
        race_s=drill.race_s,
        calls=RecordedCall.objects.filter(drill=drill).count(),
        names=_names(drill),
    )


def is_open(*, drill_id: int) -> bool:
    """Asked again before a request that was held is let go, and when what is known is not fresh any more."""
    return left_s(drill_id=drill_id) > 0


def left_s(*, drill_id: int) -> float:
    """Seconds until the time limit; 0 and less when it is not open."""
    found = VendorDrill.objects.filter(pk=drill_id).values_list("status", "ends_at").first()
    return 0.0 if found is None else _left(*found)


def _names(drill: VendorDrill) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    made = RecordedAnswer.objects.filter(call__drill=drill, call__creates=True)
    for letter, names in made.values_list("call__item", "names"):
        found[letter].update(names)
    return {letter: frozenset(names) for letter, names in found.items()}


def _left(status: str, ends_at: datetime | None) -> float:
    if status != VendorDrillStatus.OPEN or ends_at is None:
        return 0.0
    return (ends_at - database_now()).total_seconds()

"""Drills of vendors as other pages and commands read them."""

from __future__ import annotations

from dataclasses import dataclass

from once_delivery.vendor_drill.items import items_of
from once_delivery.vendor_drill.models import ItemVerdict, VendorDrill
from once_delivery.vendor_drill.wording import PROVES, WHY


@dataclass(frozen=True, slots=True)
class SummaryItem:
    """``letter`` "" is all that is no item. ``proves`` and ``words`` are in the reader's language."""

    letter: str
    passed: bool
    why: str
    proves: str
    words: str


@dataclass(frozen=True, slots=True)
class Summary:
    """``passed`` None: not judged (yet)."""

    drill: VendorDrill
    vendor: str
    passed: bool | None
    items: tuple[SummaryItem, ...]

    @property
    def failed(self) -> int:
        return sum(not one.passed for one in self.items)


def summary_of(drill: VendorDrill) -> Summary:
    """The verdict for each item in words, for a page that compares."""
    faults = {one.letter: one.fault for one in items_of(drill.count, drill.values, drill.faults)}
    rows = sorted(ItemVerdict.objects.filter(drill=drill), key=lambda one: one.item or "~")
    items = tuple(
        SummaryItem(
            one.item,
            one.passed,
            one.why,
            str(PROVES[faults.get(one.item) or ""]) if one.item else "",
            str(WHY[one.why]),
        )
        for one in rows
    )
    return Summary(drill, drill.vendor, all(one.passed for one in items) if items else None, items)

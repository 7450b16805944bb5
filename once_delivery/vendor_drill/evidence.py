"""The rows of a drill, sorted by item: what was asked, what was made, what is there now, what is gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from once_delivery.vendor_drill.items import Item, items_of
from once_delivery.vendor_drill.models import (
    Declaration,
    InventoryRow,
    Moment,
    RecordedCall,
    VendorDrill,
)
from once_delivery.vendor_drill.owners import owners_of
from once_delivery.vendor_drill.paths import steps_of
from once_delivery.vendor_drill.record import CallFact, call_fact


@dataclass(frozen=True, slots=True)
class Held:
    """One object that is there now and was not before. ``by``: what tells whose it is (``call``, ``title``, ``text``)."""

    result_id: str
    title: str
    url: str
    status: str
    trashed: bool
    by: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """A declaration."""

    kind: str
    name: str
    note: str


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """``made``: how many objects the calls have made, each by its names. ``gone``: those that are not there any more."""

    item: Item
    calls: Sequence[CallFact]
    reads: Sequence[CallFact]
    held: Sequence[Held]
    made: Sequence[tuple[str, ...]]
    gone: Sequence[tuple[str, ...]]
    deleted_by: Sequence[int]
    said: Sequence[Said] = ()

    @property
    def live(self) -> list[Held]:
        return [one for one in self.held if not one.trashed]


@dataclass(frozen=True, slots=True)
class Facts:
    """``strays``: new objects that belong to no item. ``vanished``: what was there before and is not any more."""

    items: Sequence[ItemFacts]
    strays: Sequence[Held]
    vanished: Sequence[Held]
    held_before: int
    held_after: int
    calls: Sequence[CallFact] = field(default=())


def facts_of(drill: VendorDrill) -> Facts:
    """Everything that a verdict rests on, read once."""
    calls = calls_of(drill)
    rows = list(InventoryRow.objects.filter(drill=drill).order_by("pk"))
    before = {one.result_id: one for one in rows if one.moment == Moment.BEFORE}
    after = {one.result_id: one for one in rows if one.moment == Moment.AFTER}
    items = items_of(drill.count, drill.values, drill.faults)
    new = [one for key, one in after.items() if key not in before]
    owners = owners_of(items, calls, new)
    said = list(Declaration.objects.filter(drill=drill).order_by("pk"))
    vanished = [
        _held(one)
        for key, one in before.items()
        if not one.trashed and (key not in after or after[key].trashed)
    ]
    return Facts(
        items=[_item(one, calls, new, owners, said) for one in items],
        strays=[_held(one) for one in new if one.result_id not in owners and not one.trashed],
        vanished=vanished,
        held_before=sum(not one.trashed for one in before.values()),
        held_after=sum(not one.trashed for one in after.values()),
        calls=calls,
    )


def calls_of(drill: VendorDrill) -> list[CallFact]:
    """Every request in the order of its coming."""
    rows = RecordedCall.objects.filter(drill=drill).select_related("answer").order_by("pk")
    return [call_fact(number, row) for number, row in enumerate(rows, 1)]


def _item(
    item: Item,
    calls: Sequence[CallFact],
    new: Sequence[InventoryRow],
    owners: dict[str, tuple[str, str]],
    said: Sequence[Declaration],
) -> ItemFacts:
    own = [call for call in calls if call.item == item.letter]
    held = [
        _held(row, owners[row.result_id][1])
        for row in new
        if owners.get(row.result_id, ("", ""))[0] == item.letter
    ]
    made = _made(own)
    gone = _gone(made, [one for one in held if not one.trashed])
    names = {name for group in made for name in group}
    deleted_by = [
        call.number
        for call in calls
        if call.method == "DELETE" and call.is_ok and names & steps_of(call.path)
    ]
    return ItemFacts(
        item=item,
        calls=own,
        reads=[call for call in calls if call.is_read and item.letter in call.shows],
        held=held,
        made=made,
        gone=gone,
        deleted_by=deleted_by,
        said=[Said(one.kind, one.name, one.note) for one in said if one.item == item.letter],
    )


def _made(calls: Sequence[CallFact]) -> list[tuple[str, ...]]:
    """Objects that the calls have made; an answer that names an earlier one has made nothing new."""
    groups: list[tuple[str, ...]] = []
    for call in calls:
        names = tuple(call.names) or (f"#{call.number}",)
        if call.made and not any(set(names) & set(group) for group in groups):
            groups.append(names)
    return groups


def _gone(made: Sequence[tuple[str, ...]], live: Sequence[Held]) -> list[tuple[str, ...]]:
    """Made and not there: where the inventory uses other names, only the number tells."""
    ids = {one.result_id for one in live}
    missing = [group for group in made if not ids & set(group)]
    unnamed = len(live) - (len(made) - len(missing))
    return missing[max(0, unnamed) :]


def _held(row: InventoryRow, by: str = "") -> Held:
    return Held(row.result_id, row.title, row.url, row.status, row.trashed, by)

"""Whose item a new object is, and what tells so. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from once_delivery.vendor_drill.items import Item
from once_delivery.vendor_drill.models import InventoryRow
from once_delivery.vendor_drill.record import CallFact
from once_delivery.vendor_drill.words import reading

Owner = tuple[str, str]  # letter and sign


def owners_of(
    items: Sequence[Item], calls: Sequence[CallFact], new: Sequence[InventoryRow]
) -> dict[str, Owner]:
    """By result ID: an answer named it (``call``), else its title or a text in it is the agreed value (``title``, ``text``).

    What is left has the title of exactly one item's object, or is nobody's.
    """
    named = {name: call.item for call in calls if call.made for name in call.names}
    found = {row.result_id: owner for row in new if (owner := _owner(row, named, items))}
    titles: dict[str, set[str]] = defaultdict(set)
    for row in new:
        if row.title and row.result_id in found:
            titles[row.title].add(found[row.result_id][0])
    for row in new:
        letters = titles.get(row.title, set())
        if row.result_id not in found and len(letters) == 1:
            found[row.result_id] = (next(iter(letters)), "title")
    return found


def _owner(row: InventoryRow, named: dict[str, str], items: Sequence[Item]) -> Owner | None:
    if row.result_id in named:
        return named[row.result_id], "call"
    for sign, texts in (("title", [row.title]), ("text", [str(one) for one in row.words.values()])):
        letters = _letters(items, texts)
        if len(letters) == 1:
            return letters.pop(), sign
    return None


def _letters(items: Sequence[Item], texts: Sequence[str]) -> set[str]:
    """The items whose value one of ``texts`` is: to the letter, else to a reader."""
    said = {text.strip().casefold() for text in texts}
    read = {reading(text) for text in texts}
    exact = {one.letter for one in items if one.value and one.value.casefold() in said}
    return exact or {one.letter for one in items if one.value and reading(one.value) in read}

"""The items of a drill, and which fault strikes which of them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from once_delivery.vendor_drill.models.drill import LETTERS, Fault


@dataclass(frozen=True, slots=True)
class Item:
    """``value``: what the chosen field holds for it, "" by order. ``fault`` None: it is left alone."""

    letter: str
    value: str
    fault: Fault | None


def items_of(count: int, values: Sequence[str], faults: Sequence[str]) -> list[Item]:
    """A is left alone, so that its receipt arrives; then an item for each fault; the rest is left alone too."""
    struck = dict(enumerate((Fault(one) for one in faults), 1))
    return [Item(LETTERS[at], values[at] if at < len(values) else "", struck.get(at)) for at in range(count)]


def struck_by(items: Sequence[Item], fault: Fault) -> str:
    """The letter of the item that ``fault`` strikes, "" when it was not chosen."""
    return next((one.letter for one in items if one.fault == fault), "")

"""Which assets of a group of duplicates count: exactly one, the earliest accepted. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Member:
    """One asset that is the same deliverable as the others of its group."""

    asset_id: int
    accepted_at: datetime
    out: bool  # taken back, or superseded: it can count no more
    counted: bool  # its units sum to 1


@dataclass(frozen=True, slots=True)
class Group:
    """What a group comes to: who counts, and what must be posted for that."""

    survivor_id: int | None
    no_more: tuple[int, ...]  # counted so far, and not the survivor
    promoted: int | None  # the survivor, where it was not counted


def judged(members: Sequence[Member]) -> Group:
    """The earliest accepted that is not out counts; with none left nobody does."""
    standing = sorted(
        (one for one in members if not one.out), key=lambda one: (one.accepted_at, one.asset_id)
    )
    survivor = standing[0] if standing else None
    return Group(
        survivor_id=survivor.asset_id if survivor else None,
        no_more=tuple(one.asset_id for one in members if one.counted and one is not survivor),
        promoted=survivor.asset_id if survivor and not survivor.counted else None,
    )

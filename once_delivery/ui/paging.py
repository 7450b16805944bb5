"""Paging by key: the next page begins after the last row of this one, however many rows there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.db.models import Model, QuerySet

from once_delivery.common.digits import whole_number

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """One page; ``next_key`` is empty on the last one."""

    rows: Sequence[Row]
    next_key: str = ""
    first: bool = True


def newest_first(found: QuerySet[Row], *, key: str, size: int) -> Page[Row]:
    """The page of ``found`` after ``key`` (an ID), newest first; a key that is none begins anew."""
    before = whole_number(key)
    if before is not None:
        found = found.filter(pk__lt=before)
    rows = list(found.order_by("-pk")[: size + 1])
    more = len(rows) > size
    return Page(rows[:size], str(rows[size - 1].pk) if more else "", first=before is None)

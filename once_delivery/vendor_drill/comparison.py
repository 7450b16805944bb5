"""Drills of several vendors side by side: the same duties as rows, a vendor each column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from once_delivery.vendor_drill.models import Fault, ItemVerdict, VendorDrill
from once_delivery.vendor_drill.selectors import Summary, SummaryItem, summary_of
from once_delivery.vendor_drill.wording import PROVES

MOST = 6


@dataclass(frozen=True, slots=True)
class Row:
    """``cells``: for each drill the verdicts on its items with this duty; none where it was not drilled."""

    head: str
    cells: tuple[tuple[SummaryItem, ...], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of each drill; None: not judged."""

    head: str
    cells: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    columns: tuple[Summary, ...]
    rows: tuple[Row, ...]
    figures: tuple[Figure, ...]


def compared(drills: Sequence[VendorDrill]) -> Comparison:
    """In the order in which they are given."""
    columns = tuple(summary_of(one) for one in drills)
    duties = [str(PROVES[fault]) for fault in ("", *Fault.values)]
    rows = [
        Row(duty, tuple(tuple(item for item in one.items if item.proves == duty) for one in columns))
        for duty in duties
    ]
    rows.append(
        Row(
            _("everything else at the target"),
            tuple(tuple(item for item in one.items if not item.letter) for one in columns),
        )
    )
    return Comparison(columns, tuple(row for row in rows if any(row.cells)), _figures(drills))


def _figures(drills: Sequence[VendorDrill]) -> tuple[Figure, ...]:
    evidence: dict[int, list[dict[str, list[object]]]] = {}
    for one in ItemVerdict.objects.filter(drill__in=drills).exclude(item=""):
        evidence.setdefault(one.drill_id, []).append(one.evidence)
    counted = VendorDrill.objects.filter(pk__in=[one.pk for one in drills]).annotate(
        all_calls=Count("calls"), creating=Count("calls", filter=Q(calls__creates=True))
    )
    calls = {one.pk: (one.all_calls, one.creating) for one in counted}

    def summed(name: str) -> tuple[object, ...]:
        return tuple(
            sum(len(one[name]) for one in evidence[drill.pk]) if drill.pk in evidence else None
            for drill in drills
        )

    return (
        Figure(_("items"), tuple(drill.count for drill in drills)),
        Figure(_("held at the target"), summed("held")),
        Figure(_("created and gone"), summed("gone")),
        Figure(_("requests to create"), tuple(calls[drill.pk][1] for drill in drills)),
        Figure(_("requests in all"), tuple(calls[drill.pk][0] for drill in drills)),
        Figure(_("open for"), tuple(_open_for(drill) for drill in drills)),
    )


def _open_for(drill: VendorDrill) -> timedelta | None:
    return drill.closed_at - drill.opened_at if drill.closed_at and drill.opened_at else None

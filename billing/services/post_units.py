"""Post units: the only writer of the ledger of units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from billing.locking import lock_books
from billing.models import UnitEntry, UnitReason
from billing.months import month_of
from billing.refusals import refusals
from billing.services.open_period import Months
from once_delivery.accounts.models import Project

SIGNS = {
    UnitReason.ACCEPTED: 1,
    UnitReason.SURVIVOR_PROMOTED: 1,
    UnitReason.DUPLICATE_FOUND: -1,
    UnitReason.ACCEPTANCE_REVOKED: -1,
}


@dataclass(frozen=True, slots=True)
class NewUnit:
    """One asset counted, or counted no more. ``origin`` is the month in which it was accepted."""

    asset_id: int
    reason: UnitReason
    origin: date
    survivor_id: int | None = None
    approval_id: int | None = None
    source_key: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict)


def post_units(*, project: Project, units: Iterable[NewUnit], actor: str, automatic: bool = False) -> int:
    """Afterwards all ``units`` stand in the ledger, or none; one whose source was posted before is left out.

    Each is posted in the month of its origin, or the first open one after it. Returns how many were new. Raises
    PeriodOnHoldError, and PostingRefusedError (``counted-once``, ``period-closed``, ``other-project``).
    """
    with refusals():
        lock_books([project.pk])
        months = Months.of(project.pk, automatic=automatic)
        listed = list(units)
        keys = [unit.source_key for unit in listed if unit.source_key]
        known = set(
            UnitEntry.objects.filter(project=project, source_key__in=keys).values_list(
                "source_key", flat=True
            )
        )
        fresh = [unit for unit in listed if unit.source_key not in known]
        # one INSERT: the trigger numbers and chains row after row
        UnitEntry.objects.bulk_create(
            UnitEntry(
                project=project,
                sign=SIGNS[unit.reason],
                reason=unit.reason,
                asset_id=unit.asset_id,
                survivor_id=unit.survivor_id,
                posted_period=months.posting_in(month_of(unit.origin)),
                origin_period=month_of(unit.origin),
                approval_id=unit.approval_id,
                source_key=unit.source_key,
                evidence=dict(unit.evidence),
                actor=actor,
            )
            for unit in fresh
        )
    return len(fresh)

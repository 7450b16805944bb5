"""What the targets hold, as far as they were asked: the other truth, which has the last word (R11)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from django.db.models import Count, Max, Q

from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.states import State
from once_delivery.targets.base import Presence
from reconciliation.models import Audit, AuditScope, AuditStatus


@dataclass(frozen=True, slots=True)
class Held:
    """The confirmed actions of a batch at one target, by what was seen there."""

    name: str
    kind: str
    host: str
    audit: Audit | None
    confirmed: int
    counted: int
    duplicate: int
    trashed: int
    missing: int
    changed: int
    latest: datetime | None

    @property
    def exact(self) -> int:
        """There, in whatever condition, and not twice."""
        return self.counted - self.duplicate - self.missing

    @property
    def uncounted(self) -> int:
        return self.confirmed - self.counted

    @property
    def mark(self) -> str:
        """Which once mark the count earns; none while something was not counted."""
        if self.duplicate:
            return "two"
        if self.missing:
            return "none"
        return "one" if self.confirmed and not self.uncounted else ""


def held_of(batch: Batch) -> list[Held]:
    """One entry a target, in two queries."""
    confirmed = Q(state=State.CONFIRMED)
    looked = confirmed & ~Q(presence=Presence.UNCHECKED)
    rows = list(
        Action.objects.filter(task__references__batch=batch)
        .values_list("target_id", "target__name", "target__kind", "target__base_url")
        .annotate(
            confirmed=Count("pk", filter=confirmed),
            counted=Count("pk", filter=looked),
            duplicate=Count("pk", filter=looked & Q(presence=Presence.DUPLICATE)),
            trashed=Count("pk", filter=looked & Q(presence=Presence.TRASHED)),
            missing=Count("pk", filter=looked & Q(presence=Presence.MISSING)),
            changed=Count("pk", filter=looked & Q(presence=Presence.CHANGED)),
            latest=Max("checked_at", filter=looked),
        )
        .order_by("target__name")
    )
    audits = _latest_audits(row[0] for row in rows)
    return [
        Held(name, kind, urlsplit(url).netloc, audits.get(target_id), *seen)
        for target_id, name, kind, url, *seen in rows
    ]


def _latest_audits(target_ids: Iterable[int]) -> dict[int, Audit]:
    """The latest whole inventory of each target."""
    found = (
        Audit.objects.filter(
            target__in=list(target_ids), status=AuditStatus.COMPLETE, scope=AuditScope.EVERYTHING
        )
        .order_by("target_id", "-started_at")
        .distinct("target_id")
    )
    return {audit.target_id: audit for audit in found}

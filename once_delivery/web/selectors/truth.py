"""What the targets hold, as far as they were asked: the other truth, which has the last word (R11)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from django.db.models import Count, Max, Min, Q

from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.states import State
from once_delivery.targets.base import Presence


@dataclass(frozen=True, slots=True)
class Held:
    """The confirmed actions of a batch at one target, by what was seen there."""

    name: str
    kind: str
    host: str
    confirmed: int
    counted: int
    duplicate: int
    trashed: int
    missing: int
    changed: int
    oldest: datetime | None
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
    """One entry a target, in one query."""
    confirmed = Q(state=State.CONFIRMED)
    rows = (
        Action.objects.filter(task__references__batch=batch)
        .values_list("target__name", "target__kind", "target__base_url")
        .annotate(
            Count("pk", filter=confirmed),
            Count("pk", filter=confirmed & ~Q(presence=Presence.UNCHECKED)),
            Count("pk", filter=confirmed & Q(presence=Presence.DUPLICATE)),
            *(
                Count("pk", filter=confirmed & Q(presence=presence))
                for presence in (Presence.TRASHED, Presence.MISSING, Presence.CHANGED)
            ),
            Min("checked_at", filter=confirmed),
            Max("checked_at", filter=confirmed),
        )
        .order_by("target__name")
    )
    return [Held(name, kind, urlsplit(url).netloc, *counts) for name, kind, url, *counts in rows]

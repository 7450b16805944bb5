"""In which order cases stand, and what stands behind one of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from reconciliation.models import Case


@dataclass(frozen=True, slots=True)
class Order:
    """By a time, then by ID; ``backwards``: the latest first."""

    field: str
    backwards: bool = False

    @property
    def by(self) -> tuple[str, str]:
        return (f"-{self.field}", "-pk") if self.backwards else (self.field, "pk")

    def at(self, case: Case) -> datetime:
        """The time by which this case stands where it does."""
        at: datetime = getattr(case, self.field)
        return at

    def behind(self, at: datetime, pk: int) -> Q:
        """What follows a case with this time and ID. The first half is what an index can begin with."""
        way = "lt" if self.backwards else "gt"
        further = Q(**{f"{self.field}__{way}": at}) | Q(**{f"pk__{way}": pk})
        return Q(**{f"{self.field}__{way}e": at}) & further


BY_DUE = Order("due_at")
BY_DUE_BACKWARDS = Order("due_at", backwards=True)
LATEST_RESOLVED = Order("resolved_at", backwards=True)


def order_of(view: str) -> Order:
    """The most urgent first; of the resolved those that were resolved last."""
    return LATEST_RESOLVED if view == "resolved" else BY_DUE

"""What the targets hold, as far as they were asked: the other truth, which has the last word (R11)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from django.urls import reverse

from once_delivery.ledger.states import State
from once_delivery.targets.base import Presence
from once_delivery.targets.models import Target
from once_delivery.web.selectors.batch_counts import Alike, BatchCounts
from reconciliation.models import Audit, AuditScope, AuditStatus


@dataclass(frozen=True, slots=True)
class Held:
    """The confirmed actions of a batch at one target, by what was seen there.

    ``undecided``: beside them, actions of which more than one object was found, and a person has to say which it is.
    """

    name: str
    kind: str
    host: str
    audit: Audit | None
    confirmed: int
    counted: int
    duplicate: int
    undecided: int
    trashed: int
    missing: int
    changed: int
    latest: datetime | None
    count_at: str  # where the target can be counted; "" for a drill's own

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
        if self.duplicate or self.undecided:
            return "two"
        if self.missing:
            return "none"
        return "one" if self.confirmed and not self.uncounted else ""


def held_of(counts: BatchCounts) -> list[Held]:
    """One entry a target, in two queries."""
    by_target: dict[int, list[Alike]] = defaultdict(list)
    for one in counts.groups:
        by_target[one.target_id].append(one)
    targets = (
        Target.objects.filter(pk__in=by_target)
        .only("uuid", "name", "kind", "base_url", "of_drill")
        .order_by("name")
    )
    audits = _latest_audits(by_target)
    return [_held(target, by_target[target.pk], audits.get(target.pk)) for target in targets]


def _held(target: Target, groups: Sequence[Alike], audit: Audit | None) -> Held:
    confirmed = [one for one in groups if one.state == State.CONFIRMED]
    seen: Counter[str] = Counter()
    for one in confirmed:
        seen[one.presence] += one.many
    looked = [one.checked_at for one in confirmed if one.presence != Presence.UNCHECKED and one.checked_at]
    return Held(
        name=target.name,
        kind=target.kind,
        host=urlsplit(target.base_url).netloc,
        audit=audit,
        confirmed=seen.total(),
        counted=seen.total() - seen[Presence.UNCHECKED],
        duplicate=seen[Presence.DUPLICATE],
        undecided=sum(one.many for one in groups if one.twice),
        trashed=seen[Presence.TRASHED],
        missing=seen[Presence.MISSING],
        changed=seen[Presence.CHANGED],
        latest=max(looked, default=None),
        count_at="" if target.of_drill else reverse("web:audits", args=[target.uuid]),
    )


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

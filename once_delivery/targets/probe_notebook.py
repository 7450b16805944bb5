"""What a probe makes and measures, as rows: committed before the request leaves (R1), never changed afterwards (R10)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import F

from once_delivery.common.redact import storable
from once_delivery.targets.base import Answer, FoundObject, Outcome
from once_delivery.targets.models import Measurement, Probe, ProbeMarker, ProbeObject
from once_delivery.targets.probing.drafts import Draft
from once_delivery.targets.probing.findings import Finding
from once_delivery.targets.probing.removing import Cleared
from once_delivery.targets.profile import Consistency, Profile

# after one of these nothing of the request is on its way any more
_DEFINITE = frozenset({Outcome.DONE, Outcome.REFUSED, Outcome.NOT_DONE, Outcome.NOT_SENT, Outcome.EXISTS})


class ProbeInTransactionError(RuntimeError):
    """Probing inside a transaction would let a request leave before its row is committed (R1)."""


class Notebook:
    """See :class:`once_delivery.targets.probing.lab.Notebook`. One thread at a time."""

    def __init__(self, probe: Probe, profile: Profile) -> None:
        if connection.in_atomic_block or not connection.get_autocommit():
            raise ProbeInTransactionError
        self._probe = probe
        lag = profile.index_lag_s if profile.consistency == Consistency.BOUNDED else 0.0
        self._lands_within_s = profile.settle_s + lag

    def intend(self, draft: Draft, *, requests: int, seconds: float) -> None:
        """The marker's row is committed; so many more requests for it may leave."""
        now = database_now()
        row, _ = ProbeMarker.objects.get_or_create(
            marker=draft.marker,
            defaults={
                "probe": self._probe,
                "kind": draft.kind,
                "intended_at": now,
                "arrives_until": now,
            },
        )
        ProbeMarker.objects.filter(pk=row.pk).update(
            requests=F("requests") + requests,
            arrives_until=now + timedelta(seconds=seconds + self._lands_within_s),
        )

    def answered(self, draft: Draft, answers: Iterable[Answer]) -> None:
        """IDs that were named, to be removed once the object itself has shown the marker."""
        known = list(answers)
        definite = sum(one.outcome in _DEFINITE for one in known)
        ProbeMarker.objects.filter(marker=draft.marker).update(answered=F("answered") + definite)
        self._keep(draft, {one.result_id: one.url for one in known if one.outcome == Outcome.DONE})

    def saw(self, draft: Draft, objects: Iterable[FoundObject]) -> None:
        """Objects that carry the marker."""
        self._keep(draft, {one.result_id: one.url for one in objects})

    def measured(self, finding: Finding) -> None:
        """One claim beside what was seen; the first word on a claim stays."""
        Measurement.objects.bulk_create(
            [
                Measurement(
                    probe=self._probe,
                    claim=finding.claim,
                    claimed=finding.claimed[:40],
                    verdict=finding.verdict,
                    seen=finding.seen,
                    numbers=_storable(finding.numbers),
                    at=database_now(),
                )
            ],
            ignore_conflicts=True,
        )

    def _keep(self, draft: Draft, links: dict[str, str]) -> None:
        if not links:
            return
        row = ProbeMarker.objects.filter(marker=draft.marker).first()
        if row is None:
            return  # a marker that nothing was ever sent for
        now = database_now()
        ProbeObject.objects.bulk_create(
            [
                ProbeObject(
                    marker=row, result_id=storable(result_id)[:300], url=storable(url)[:1000], seen_at=now
                )
                for result_id, url in links.items()
                if result_id
            ],
            ignore_conflicts=True,
        )


def note_removal(row: ProbeMarker, cleared: Cleared) -> None:
    """What became of each object; the marker is closed when nothing of it is there or can still come."""
    now = database_now()
    for one in cleared.removals:
        ProbeObject.objects.update_or_create(
            marker=row,
            result_id=storable(one.result_id)[:300],
            create_defaults={
                "url": storable(one.url)[:1000],
                "seen_at": now,
                **_fate(one.removed, one.why, now),
            },
            defaults=_fate(one.removed, one.why, now),
        )
    row.refresh_from_db()
    left = row.objects_made.filter(removed_at=None).exists()
    made = row.objects_made.count()
    # each request makes one object at most: what those made whose answer was lost has been seen, or can still come
    on_its_way = row.answered < row.requests and made < row.requests
    over = now >= row.arrives_until
    sure = cleared.nothing_left or not (cleared.asked or on_its_way)
    if not left and sure and (over or not on_its_way):
        ProbeMarker.objects.filter(pk=row.pk).update(closed_at=now)


def _fate(removed: bool, why: str, now: datetime) -> dict[str, object]:  # noqa: FBT001 - two columns of one fact
    return {"removed_at": now if removed else None, "why_left": "" if removed else why[:60]}


def _storable(numbers: object) -> object:
    if isinstance(numbers, dict):
        return {str(name): _storable(value) for name, value in numbers.items()}
    if isinstance(numbers, list | tuple):
        return [_storable(one) for one in numbers]
    return storable(str(numbers))[:300] if isinstance(numbers, str) else numbers


def database_now() -> datetime:
    """This moment by the database's clock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment

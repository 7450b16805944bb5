"""Where an entry stands now: whose fault it is and who bears it, after what was transferred since."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import uuid4

from billing.among import Among
from billing.entry import NewEntry, like
from billing.models import Bearer, Cause, CostEntry, EntryKind

TRANSFERS = (EntryKind.BEARER_TRANSFER, EntryKind.WRITE_OFF_CLAIM)
# entries that can be taken back whole; the others are one side of a sum
REVERSIBLE = frozenset({EntryKind.CHARGE, EntryKind.LABOUR})


@dataclass(frozen=True, slots=True)
class Stand:
    """What a cost is counted as."""

    cause: Cause
    bearer: Bearer


@dataclass(frozen=True, slots=True)
class Standing:
    """An entry, and the changes of bearer that were posted for it, oldest first (both sides of each)."""

    entry: CostEntry
    transfers: Sequence[CostEntry] = ()

    @property
    def now(self) -> Stand:
        """The positive side of the last transfer, or the entry's own (signs are turned where the entry is negative)."""
        last = self.entry
        for side in self.transfers:
            if (side.amount > 0) == (self.entry.amount > 0):
                last = side
        return Stand(Cause(last.cause), Bearer(last.bearer))


def with_transfers(entries: Iterable[CostEntry]) -> list[Standing]:
    """Each entry with its transfers, in one query."""
    listed = list(entries)
    found: dict[int | None, list[CostEntry]] = defaultdict(list)
    sides = CostEntry.objects.filter(
        Among("corrects", [one.pk for one in listed]), kind__in=TRANSFERS
    ).order_by("seq")
    for side in sides:
        found[side.corrects_id].append(side)
    return [Standing(entry, found[entry.pk]) for entry in listed]


def transferred(
    standing: Standing, to: Stand, *, kind: EntryKind = EntryKind.BEARER_TRANSFER, words: str = ""
) -> list[NewEntry]:
    """Both sides of a change from where the entry stands to ``to``; they sum to nothing."""
    entry, pair = standing.entry, uuid4()
    return [
        like(
            entry,
            kind=kind,
            amount=amount,
            cause=side.cause,
            bearer=side.bearer,
            transfer=pair,
            corrects_id=entry.pk,
            description=words[:500],
        )
        for amount, side in ((-entry.amount, standing.now), (entry.amount, to))
    ]


def taken_back(standing: Standing, *, words: str = "") -> list[NewEntry]:
    """The reversal of a charge, after what was transferred has gone back to where the charge was posted."""
    entry = standing.entry
    own = Stand(Cause(entry.cause), Bearer(entry.bearer))
    back = transferred(standing, own, words=words) if standing.now != own else []
    reversal = like(
        entry, kind=EntryKind.REVERSAL, amount=-entry.amount, reverses_id=entry.pk, description=words[:500]
    )
    return [*back, reversal]


def reposted(standing: Standing, to: Stand, *, words: str = "", **place: int | None) -> list[NewEntry]:
    """A charge taken back and posted anew as ``to``, at another ``place`` (task_id, attempt_id, …) if one is given."""
    entry = standing.entry
    anew = like(
        entry,
        kind=EntryKind(entry.kind),
        amount=entry.amount,
        cause=to.cause,
        bearer=to.bearer,
        corrects_id=entry.pk,
        details=entry.details,
        **place,
    )
    return [*taken_back(standing, words=words), anew]


def corrected(standing: Standing, to: Stand, *, words: str = "") -> list[NewEntry]:
    """What makes an entry count as ``to``: nothing, a change of bearer, or a reversal and a new charge.

    Another cause is a reversal and a new charge, which names what it corrects. What cannot be taken back alone (one
    side of an allocation, an accrual) is transferred, cause and bearer in one.
    """
    if standing.now == to or not standing.entry.amount:
        return []
    another_cause = standing.now.cause is not to.cause
    if another_cause and EntryKind(standing.entry.kind) in REVERSIBLE:
        return reposted(standing, to, words=words)
    return transferred(standing, to, words=words)


def is_reversed(entry: CostEntry) -> bool:
    """Whether the entry has been taken back."""
    return CostEntry.objects.filter(reverses=entry).exists()

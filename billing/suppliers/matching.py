"""Which attempt a line of a bill is for. Pure: lines and what attempts used in, verdicts out.

In this order: our attempt named by the line, the provider's request (or job), the idempotency key, then model, time and
units. A line that sums up a span has no request: it is for every use in the span, shared out by usage.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import partial

from billing.models import LineStatus, SubBucket
from billing.suppliers.uses import CANDIDATES, Likeness, Pool, Used

NEAR = timedelta(days=1)  # a day in another time zone, or booked the day after
# what a table of prices says may be off; what the provider itself said may not
TOLERATED = {"C": Decimal(0), "B": Decimal(0), "D": Decimal("0.05")}


@dataclass(frozen=True, slots=True)
class Sought:
    """What a line says that can be compared. ``amount`` is functional."""

    number: int
    day: date
    amount: Decimal
    sub_bucket: str
    used_at: datetime | None = None
    used_until: datetime | None = None
    dated: bool = False  # ``used_at`` has a time of day
    request_id: str = ""
    idempotency_key: str = ""
    model: str = ""
    units: Decimal | None = None
    unit: str = ""
    attempt_id: int | None = None
    is_credit: bool = False

    @property
    def billed_once(self) -> tuple[str, str, str, str]:
        """What no supplier may bill twice: one request, for one thing, in one unit."""
        return (self.request_id or self.idempotency_key, self.model, self.unit, self.sub_bucket)

    @property
    def named(self) -> bool:
        """Whether the line says whose it is."""
        return bool(self.attempt_id or self.request_id or self.idempotency_key)


@dataclass(frozen=True, slots=True)
class Verdict:
    """``used`` are those that the line is for: one, or all that share it."""

    status: LineStatus
    used: tuple[Used, ...] = ()
    matched_by: str = ""
    candidates: tuple[Used, ...] = ()

    @property
    def expected(self) -> Decimal | None:
        """Our estimate of the line, where all of it is known."""
        amounts = [one.expected for one in self.used]
        known = [amount for amount in amounts if amount is not None]
        return sum(known, Decimal(0)) if known and len(known) == len(amounts) else None


ORPHAN = Verdict(LineStatus.ORPHAN)
GENERAL = Verdict(LineStatus.GENERAL)


@dataclass(slots=True)
class Matcher:
    """Matches the lines of one document; what a line takes, a later one does not get."""

    provider: str
    quantum: Decimal
    used: Sequence[Used]
    billed: set[tuple[str, str, str, str]]  # what earlier lines of this supplier billed, and was not credited
    _ids: dict[str, list[Used]] = field(default_factory=lambda: defaultdict(list))
    _keys: dict[str, list[Used]] = field(default_factory=lambda: defaultdict(list))
    _attempts: dict[int, list[Used]] = field(default_factory=lambda: defaultdict(list))
    # of this supplier: all of a day, and those that a line without a name may be for
    _days: dict[date, list[Used]] = field(default_factory=lambda: defaultdict(list))
    _free: Pool = field(default_factory=Pool)

    def __post_init__(self) -> None:
        for one in self.used:
            if one.usage_id is not None and one.provider == self.provider:
                self._days[one.day].append(one)
                if not one.settled:
                    self._free.add(one.usage_id, one)
            self._attempts[one.attempt_id].append(one)
            if one.idempotency_key:
                self._keys[one.idempotency_key].append(one)
            for name in {one.request_id, one.job_id} - {""}:
                self._ids[name].append(one)

    def match_all(self, lines: Iterable[Sought]) -> dict[int, Verdict]:
        """Number → verdict: those that say whose they are go first, so that no likeness takes what another names."""
        ordered = sorted(lines, key=lambda line: (not line.named, line.number))
        return {line.number: self.match(line) for line in ordered}

    def match(self, line: Sought) -> Verdict:
        """What ``line`` is for."""
        verdict = self._double(line) or self._by_name(line)
        if verdict is None and line.sub_bucket != SubBucket.GENERATION and not line.request_id:
            verdict = GENERAL
        if verdict is None and line.used_until is not None:
            verdict = self._by_share(line)
        if verdict is None:
            verdict = self._by_likeness(line)
        self._note(line, verdict)
        return verdict

    def _note(self, line: Sought, verdict: Verdict) -> None:
        if line.billed_once[0] and not line.is_credit:
            self.billed.add(line.billed_once)
        if verdict.matched_by != "usage_share":
            for one in verdict.used:
                self._free.take(one)

    def _double(self, line: Sought) -> Verdict | None:
        if not line.billed_once[0] or line.is_credit or line.billed_once not in self.billed:
            return None
        known = self._ids[line.request_id] if line.request_id else self._keys[line.idempotency_key]
        return Verdict(LineStatus.DOUBLE, candidates=_first(known))

    def _by_name(self, line: Sought) -> Verdict | None:
        if line.attempt_id is not None:
            return self._named(line, self._attempts[line.attempt_id], "attempt")
        if line.request_id and (found := self._ids[line.request_id]):
            return self._named(line, found, "request_id")
        if line.idempotency_key and (found := self._keys[line.idempotency_key]):
            return self._named(line, found, "idempotency_key")
        return None

    def _named(self, line: Sought, found: Sequence[Used], how: str) -> Verdict:
        if len({one.attempt_id for one in found}) > 1:
            return Verdict(LineStatus.AMBIGUOUS, matched_by=how, candidates=_first(found))
        if how == "idempotency_key" and line.model:
            found = [one for one in found if one.model in {"", line.model}] or found
        # the same request told twice, better the second time: the line is for one request
        chosen = max(found, key=lambda one: (one.expected is not None, one.usage_id or 0))
        off = abs(line.day - chosen.day) > NEAR and line.used_at is not None
        status = LineStatus.DATE if off else self._by_amount(line, chosen)
        return Verdict(status, (chosen,), how)

    def _by_amount(self, line: Sought, one: Used) -> LineStatus:
        if one.expected is None or line.is_credit:
            return LineStatus.MATCHED
        allowed = max(self.quantum, one.expected * TOLERATED.get(one.grade, Decimal(0)))
        return LineStatus.MATCHED if abs(line.amount - one.expected) <= allowed else LineStatus.AMOUNT

    def _by_share(self, line: Sought) -> Verdict:
        if line.used_at is None or line.used_until is None:
            return ORPHAN
        begin, end = line.used_at, line.used_until
        first, last = begin.date() - NEAR, end.date() + NEAR
        days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
        within = [one for day in days for one in self._days.get(day, ()) if begin <= one.used_at < end]
        same = [one for one in within if line.model and one.model and _alike(line.model, one.model)]
        sharing = same or [one for one in within if not one.model or not line.model]
        return Verdict(LineStatus.MATCHED, tuple(sharing), "usage_share") if sharing else ORPHAN

    def _by_likeness(self, line: Sought) -> Verdict:
        if line.is_credit or not (line.model or line.units is not None):
            return ORPHAN
        likes = partial(_may_be, line)
        close = (
            self._free.near(line.used_at, line.units, likes)
            if line.dated and line.used_at is not None
            else self._free.of_days([line.day], line.units, likes)
        )
        if len(close) == 1:
            return Verdict(self._by_amount(line, close[0]), close, "model_time_units")
        if close:
            return Verdict(LineStatus.AMBIGUOUS, matched_by="model_time_units", candidates=close)
        free = self._free.of_days([line.day, line.day - NEAR, line.day + NEAR], line.units, likes)
        if len(free) == 1:
            return Verdict(LineStatus.DATE, free, "model_time_units")
        return Verdict(LineStatus.AMBIGUOUS if free else LineStatus.ORPHAN, candidates=free)


def _first(found: Sequence[Used]) -> tuple[Used, ...]:
    return tuple(found[:CANDIDATES])


def _alike(billed: str, used: str) -> bool:
    """A bill may name the family (“gpt-image-1”), an answer the dated version (“gpt-image-1-2025-04-15”)."""
    one, other = billed.casefold(), used.casefold()
    return one == other or other.startswith(f"{one}-") or one.startswith(f"{other}-")


def _may_be(line: Sought, one: Likeness) -> bool:
    """Whether a use may be the one of a line that names none of ours, by all but its time."""
    if line.request_id and not one.nameless:  # the provider knows it under another ID
        return False
    if line.model and one.model and not _alike(line.model, one.model):
        return False
    if line.units is None or one.units is None:
        return bool(line.model and one.model)
    same_unit = not line.unit or not one.unit or line.unit.casefold() == one.unit
    return same_unit and line.units == one.units

"""What attempts used, and finding among thousands of uses those that a line without a name may be for. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import islice

WINDOW = timedelta(minutes=15)  # between our answer and the supplier's clock
CANDIDATES = 20  # that are kept for a person


@dataclass(frozen=True, slots=True)
class Used:
    """One provider request of an attempt, as a candidate. ``expected``: functional, None when it is unknown."""

    attempt_id: int
    task_id: int
    day: date
    used_at: datetime
    usage_id: int | None = None  # None: the attempt is known by its result only
    provider: str = ""
    model: str = ""
    request_id: str = ""
    job_id: str = ""
    idempotency_key: str = ""
    units: Decimal | None = None
    unit: str = ""
    expected: Decimal | None = None
    grade: str = ""
    settled: bool = False

    @property
    def nameless(self) -> bool:
        """Whether the provider never said under which ID it has it."""
        return not self.request_id and not self.job_id


@dataclass(frozen=True, slots=True)
class Likeness:
    """All of a use by which a line without a name is compared, but for its time."""

    units: Decimal | None
    unit: str
    model: str
    nameless: bool


Fits = Callable[[Likeness], bool]
_Shelf = dict[Decimal | None, dict[Likeness, dict[int, Used]]]


@dataclass(slots=True)
class Pool:
    """The uses that no line has taken, by day and by quarter of an hour, those that are alike together.

    A line asks for no more than are shown to a person, and what was taken is gone: thousands of lines of one kind do
    not walk over thousands of uses each.
    """

    _days: dict[date, _Shelf] = field(default_factory=dict)
    _slots: dict[int, _Shelf] = field(default_factory=dict)

    def add(self, number: int, one: Used) -> None:
        """``one``, whose usage has this ID, may be taken."""
        like = _likeness(one)
        for shelf in (self._days.setdefault(one.day, {}), self._slots.setdefault(_slot(one.used_at), {})):
            shelf.setdefault(one.units, {}).setdefault(like, {})[number] = one

    def take(self, one: Used) -> None:
        """``one`` is not found any more."""
        if one.usage_id is None:
            return
        like = _likeness(one)
        for shelf in (self._days.get(one.day, {}), self._slots.get(_slot(one.used_at), {})):
            shelf.get(one.units, {}).get(like, {}).pop(one.usage_id, None)

    def of_days(self, days: Iterable[date], units: Decimal | None, fits: Fits) -> tuple[Used, ...]:
        """At most ``CANDIDATES`` of these days: of so many units, or of nobody knows how many; None is any number."""
        return _first(_found([self._days.get(day, {}) for day in days], units, fits))

    def near(self, moment: datetime, units: Decimal | None, fits: Fits) -> tuple[Used, ...]:
        """At most ``CANDIDATES`` that were used within ``WINDOW`` of ``moment``."""
        slot = _slot(moment)
        shelves = [self._slots.get(number, {}) for number in (slot, slot - 1, slot + 1)]
        found = _found(shelves, units, fits)
        return _first(one for one in found if abs(moment - one.used_at) <= WINDOW)


def _found(shelves: Iterable[_Shelf], units: Decimal | None, fits: Fits) -> Iterator[Used]:
    for shelf in shelves:
        for key in shelf if units is None else (units, None):
            for like, alike in shelf.get(key, {}).items():
                if fits(like):
                    yield from alike.values()


def _first(found: Iterable[Used]) -> tuple[Used, ...]:
    return tuple(islice(found, CANDIDATES))


def _likeness(one: Used) -> Likeness:
    return Likeness(one.units, one.unit.casefold(), one.model.casefold(), one.nameless)


def _slot(moment: datetime) -> int:
    return int(moment.timestamp() // WINDOW.total_seconds())

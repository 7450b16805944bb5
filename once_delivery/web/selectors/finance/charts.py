"""Charts as shapes: where each line, dot and bar lies. The templates draw them as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

WIDTH, HEIGHT = 640, 232
LEFT, RIGHT, TOP, BOTTOM = 64, 624, 20, 190
LINES = 4
BAR = 500


@dataclass(frozen=True, slots=True)
class Dot:
    """One month's value at its place; ``value`` None leaves a gap."""

    x: float
    y: float
    value: Decimal


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the grid with what it stands for."""

    y: float
    value: Decimal


@dataclass(frozen=True, slots=True)
class Label:
    """A month under the axis."""

    x: float
    month: date


@dataclass(frozen=True, slots=True)
class Trend:
    """Two series over the same months."""

    ticks: tuple[Tick, ...]
    labels: tuple[Label, ...]
    posted: tuple[Dot, ...]
    restated: tuple[Dot, ...]

    @property
    def posted_path(self) -> str:
        return _path(self.posted)

    @property
    def restated_path(self) -> str:
        return _path(self.restated)


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a bar of 100 %. ``place``: which colour."""

    x: float
    width: float
    place: int
    word: str
    amount: Decimal


def trend_of(
    months: Sequence[date], posted: Sequence[Decimal | None], restated: Sequence[Decimal | None]
) -> Trend | None:
    """None without a single value."""
    known = [value for value in (*posted, *restated) if value is not None]
    if not known:
        return None
    low, high = _round_bounds(min(known), max(known))
    step = (RIGHT - LEFT) / max(1, len(months))
    places = [LEFT + step * (number + 0.5) for number in range(len(months))]

    def dots(values: Sequence[Decimal | None]) -> tuple[Dot, ...]:
        return tuple(
            Dot(round(x, 1), _y(value, low, high), value)
            for x, value in zip(places, values, strict=True)
            if value is not None
        )

    every = max(1, -(-len(months) // 8))  # at most eight words under the axis
    return Trend(
        ticks=tuple(
            Tick(_y(value, low, high), value)
            for value in (low + (high - low) * number / LINES for number in range(LINES + 1))
        ),
        labels=tuple(
            Label(round(x, 1), month)
            for number, (x, month) in enumerate(zip(places, months, strict=True))
            if number % every == 0
        ),
        posted=dots(posted),
        restated=dots(restated),
    )


def bar_of(parts: Sequence[tuple[str, Decimal]]) -> tuple[Part, ...]:
    """The positive parts of a whole, side by side, each as wide as it is large."""
    whole = sum((amount for _, amount in parts if amount > 0), Decimal(0))
    found, x = [], 0.0
    for place, (word, amount) in enumerate(parts, start=1):
        if amount > 0 and whole:
            width = float(amount / whole) * BAR
            found.append(Part(round(x, 1), round(max(1.0, width - 1.5), 1), place, word, amount))
            x += width
    return tuple(found)


def _round_bounds(low: Decimal, high: Decimal) -> tuple[Decimal, Decimal]:
    """Bounds that are easy to read: the grid's lines fall on round numbers."""
    if low == high:
        low, high = low * Decimal("0.8"), high * Decimal("1.2") or Decimal(1)
    size = Decimal(10) ** ((high - low) / LINES).adjusted()
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor * LINES >= (high - low))
    begin = (low / step).to_integral_value(rounding="ROUND_FLOOR") * step
    end = begin + step * LINES
    return (begin, end) if end >= high else (begin, begin + step * 2 * LINES)


def _y(value: Decimal, low: Decimal, high: Decimal) -> float:
    return round(BOTTOM - float((value - low) / (high - low)) * (BOTTOM - TOP), 1)


def _path(dots: Sequence[Dot]) -> str:
    return "M" + "L".join(f"{dot.x} {dot.y}" for dot in dots) if len(dots) > 1 else ""


@dataclass(frozen=True, slots=True)
class Sparkline:
    """A trend without axes, 120 by 32: its line, and its last dot."""

    path: str
    x: float
    y: float


def sparkline_of(values: Sequence[Decimal | None]) -> Sparkline | None:
    """None without two values."""
    known = [(place, value) for place, value in enumerate(values) if value is not None]
    if len(known) < 2:  # noqa: PLR2004 - a line has two ends
        return None
    low, high = min(value for _, value in known), max(value for _, value in known)
    width, span = known[-1][0] - known[0][0], (high - low) or Decimal(1)
    points = [
        (
            round(4 + 112 * (place - known[0][0]) / width, 1),
            round(28 - 24 * float((value - low) / span), 1),
        )
        for place, value in known
    ]
    return Sparkline("M" + "L".join(f"{x} {y}" for x, y in points), *points[-1])

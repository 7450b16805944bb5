"""Rounds: every contender works once in each, in another order every time, so that a slow minute slows all."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import median

from bench.contenders.base import Contender, ContenderError
from bench.processors import Watch


@dataclass(slots=True)
class Measured:
    """The rates of one contender, one a round. ``failed`` says why there are none (or no more)."""

    contender: Contender
    watch: Watch
    rates: list[float] = field(default_factory=list)
    failed: str = ""

    @property
    def rate(self) -> float | None:
        """The middle one."""
        return median(self.rates) if self.rates else None

    @property
    def processor_us(self) -> float | None:
        """Microseconds of processors an action, of the programs and of the server: others' work hardly moves it."""
        pairs = list(zip(self.rates, self.watch.shares, strict=False))
        return median(one.own_s / (rate * one.clock_s) for rate, one in pairs) * 1e6 if pairs else None

    @property
    def others(self) -> float | None:
        """Part of the machine that other programs had."""
        return median(one.others for one in self.watch.shares) if self.watch.shares else None

    def times(self, other: Measured) -> float | None:
        """How many times ``other``'s rate: the middle of the ratios within the same round."""
        pairs = list(zip(self.rates, other.rates, strict=False))
        return median(mine / theirs for mine, theirs in pairs) if pairs else None


def measure(
    contenders: Sequence[Contender], *, postmaster: int, rounds: int, seconds: float
) -> list[Measured]:
    """Start all, let them take turns, stop all. One that fails is left out from then on."""
    measured = [Measured(one, Watch(postmaster)) for one in contenders]
    try:
        for one in measured:
            _try(one, one.contender.start)
        for number in range(rounds):
            for one in _turned(measured, number):
                if not one.failed:
                    _try(one, partial(_round, one, seconds))
                    say(f"round {number + 1}/{rounds}: {one.contender.title}: {_shown(one)}")
    finally:
        for one in measured:
            one.contender.stop()
    return measured


def _round(one: Measured, seconds: float) -> None:
    one.rates.append(one.contender.round(seconds, one.watch))


def _turned(measured: list[Measured], number: int) -> list[Measured]:
    start = number % len(measured)
    return measured[start:] + measured[:start]


def _try(one: Measured, do: Callable[[], None]) -> None:
    try:
        do()
    except ContenderError as error:
        one.failed = str(error)
        say(f"{one.contender.title}: {error}")


def _shown(one: Measured) -> str:
    return one.failed or f"{one.rates[-1]:,.0f}/s, others had {one.watch.shares[-1].others:.0%}"


def say(text: str) -> None:
    """How far it is, beside the tables."""
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)

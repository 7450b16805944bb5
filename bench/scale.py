"""How much is measured: the full run takes about five minutes on two cores, the quick one about one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scale:
    """``planned``: actions of the batch whose plan and size are measured. ``asked``: deliveries asked for."""

    rounds: int
    seconds: float
    planned: int
    asked: int


FULL = Scale(rounds=5, seconds=4.0, planned=100_000, asked=10_000)
QUICK = Scale(rounds=2, seconds=2.0, planned=10_000, asked=2_000)

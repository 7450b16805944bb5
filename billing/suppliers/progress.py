"""How far a long import is, for whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Progress = Callable[[int, int], None]  # steps that are done, and all of them
One = TypeVar("One")
EVERY = 1000


def untold(done: int, of: int) -> None:
    """Nobody waits."""


def counted(entries: Iterable[One], lines: int, progress: Progress) -> Iterator[One]:
    """``entries`` as they come: the last step of so many lines."""
    for number, one in enumerate(entries):
        if not number % EVERY:
            progress(2 * lines + min(number, lines), 3 * lines)
        yield one

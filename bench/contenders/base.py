"""What a contender is, and the one that most of them are: processes that are told to go."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Protocol

from bench.processors import Watch
from bench.workers.protocol import GO, READY

STOP_SECONDS = 10.0
SPARE = 2.0  # a round must not run out of work


class ContenderError(Exception):
    """A contender could not start or did not answer; the others go on."""


class Contender(Protocol):
    """Something that performs actions, for a while, whenever it is told to."""

    @property
    def key(self) -> str:
        """A word for it."""

    @property
    def title(self) -> str:
        """A line of the table."""

    def start(self) -> None:
        """Afterwards it waits for its rounds and uses next to no processor time."""

    def round(self, seconds: float, watch: Watch) -> float:
        """Work for about so long, under ``watch``; actions per second."""

    def stop(self) -> None:
        """Afterwards nothing of it runs."""


@dataclass(slots=True)
class Crew:
    """``size`` processes of one command that work at the same time.

    ``fill`` makes enough work for a round before its time begins to count; ``guess`` is about how much is done a
    second, until a round has told.
    """

    key: str
    title: str
    command: Sequence[str]
    environment: dict[str, str]
    log: Path
    size: int = 1
    fill: Callable[[int], None] | None = None
    guess: float = 0.0
    _processes: list[subprocess.Popen[str]] = field(default_factory=list)

    def start(self) -> None:
        """See :class:`Contender`."""
        with self.log.open("ab") as log:
            for _ in range(self.size):
                self._processes.append(
                    subprocess.Popen(
                        self.command, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                        stderr=log, text=True,
                    )
                )  # fmt: skip
        for process in self._processes:
            if _read(process.stdout) != READY:
                raise ContenderError(f"{self.key} did not start: {tail(self.log)}")

    def round(self, seconds: float, watch: Watch) -> float:
        """See :class:`Contender`. Each process says how much it did and how long it took by its own clock."""
        if self.fill is not None:
            self.fill(round(self.guess * seconds * SPARE))
        with watch.running():
            for process in self._processes:
                assert process.stdin is not None
                process.stdin.write(f"{GO} {seconds}\n")
                process.stdin.flush()
            answers = [_read(process.stdout).partition(" ") for process in self._processes]
        if not all(took for _, _, took in answers):
            raise ContenderError(f"{self.key} did not answer: {tail(self.log)}")
        rate = sum(int(count) / float(took) for count, _, took in answers)
        self.guess = max(self.guess, rate)
        return rate

    def stop(self) -> None:
        """See :class:`Contender`."""
        for process in self._processes:
            assert process.stdin is not None
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
        for process in self._processes:
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._processes.clear()


def _read(stream: IO[str] | None) -> str:
    assert stream is not None
    return stream.readline().strip()


def tail(log: Path, lines: int = 5) -> str:
    """The end of a log, for an error."""
    return os.linesep.join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])

"""The same faults on senders as they are usually written: what theory says must be caught here, or the harness fails."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.faults.house import House
from tests.faults.nine import LAG_S, SLOW_S, UNREADABLE, ZOMBIE_S
from tests.faults.plain_sender import ANSWERED, CLAIMED, LEASE_S, TRIES, Book
from tests.faults.processes import wait_for
from tests.faults.stops import WRITE, Stop

KINDS = ("naive", "look", "claim")
TITLES = {"naive": "retries on error", "look": "looks, then creates", "claim": "claims once, for ever"}
# What theory says: at the least these must fail, and these must pass.
MUST_FAIL = {
    "naive": frozenset({"1", "2", "3", "4a", "4b", "5", "6", "7", "8"}),
    "look": frozenset({"3", "5", "6", "7"}),
    "claim": frozenset({"1", "2", "3", "4b", "7", "8", "9"}),
}
MUST_PASS = {"naive": frozenset({"9"}), "look": frozenset({"1", "2", "9"}), "claim": frozenset({"4a"})}
GIVE_UP_S = 12.0  # a sender that has not finished by then is stuck


@dataclass(frozen=True, slots=True)
class Count:
    """What the target holds after a plain sender, and what the sender thinks."""

    kind: str
    items: int
    objects: int
    create_calls: int
    doubled: int
    missing: int
    unknown: int  # items without an ID that the sender knows

    @property
    def passed(self) -> bool:
        return not (self.doubled or self.missing or self.unknown)

    @property
    def said(self) -> str:
        """The verdict in words."""
        words = [
            f"{number} {word}"
            for number, word in (
                (self.doubled, "doubled"),
                (self.missing, "never made"),
                (self.unknown, "stuck"),
            )
            if number
        ]
        return ", ".join(words) or "right"


@dataclass(slots=True)
class Play:
    """One fault on one plain sender."""

    house: House
    kind: str
    name: str
    url: str
    token: str
    space: str
    book: Book
    book_file: Path
    markers: list[str]
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def arm(self, fault: str, *, only: Sequence[str] | None = None, **rule: Any) -> None:
        for marker in self.markers if only is None else only:
            self.house.admin.add_fault(self.space, fault, match={"marker": marker}, **rule)

    def send(
        self, *, stop: Stop | None = None, barrier: Path | None = None, tries: int = TRIES, once: bool = False
    ) -> subprocess.Popen[bytes]:
        order = {
            "kind": self.kind,
            "url": self.url,
            "token": self.token,
            "book": str(self.book_file),
            "tries": tries,
            "stop": stop.as_json() if stop else None,
            "barrier": str(barrier) if barrier else None,
            "number": len(self.running),
            "seconds": GIVE_UP_S,
            "once": once,
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.plain_sender", json.dumps(order)],
            cwd=Path(__file__).parents[2],
            env={
                name: value
                for name, value in os.environ.items()
                if name.startswith(("PATH", "LANG", "PYTHON"))
            },
        )
        self.running.append(process)
        return process

    def stop_at(self, point: str, **how: Any) -> Stop:
        return Stop(point=point, folder=self.house.new_folder(f"{self.name}-{point}"), **how)

    def finish(self, *processes: subprocess.Popen[bytes]) -> None:
        """Until they end, or are stuck for too long."""
        for process in processes:
            with suppress(subprocess.TimeoutExpired):
                process.wait(GIVE_UP_S + 5.0)

    def together(self, count: int) -> None:
        barrier = self.house.new_folder(f"{self.name}-barrier")
        processes = [self.send(barrier=barrier) for _ in range(count)]
        wait_for(
            lambda: len(list(barrier.glob("ready-*"))) == count, seconds=40, what="senders at the barrier"
        )
        (barrier / "go").touch()
        self.finish(*processes)

    def end(self) -> None:
        for process in self.running:
            process.kill()
            process.wait()


def _answers_fail(fault: str, **rule: Any) -> Callable[[Play], None]:
    def play(one: Play) -> None:
        one.arm(fault, **rule)
        one.finish(one.send())

    return play


def _unreadable(one: Play) -> None:
    for number, marker in enumerate(one.markers):
        one.arm("unreadable", only=[marker], variant=UNREADABLE[number % len(UNREADABLE)])
    one.finish(one.send())


def _killed_at(point: str) -> Callable[[Play], None]:
    def play(one: Play) -> None:
        stop = one.stop_at(point, arrivals=len(one.markers))
        first = one.send(stop=stop)
        wait_for(stop.is_reached, seconds=20, what=f"{one.name}: {point} reached")
        first.kill()
        first.wait()
        one.finish(one.send())

    return play


def _never_executed(one: Play) -> None:
    one.arm("zombie", seconds=SLOW_S)
    one.together(2)


def _uncertain(one: Play) -> None:
    one.arm("answer_lost", only=one.markers[::2])
    one.arm("reset_before", only=one.markers[1::2])
    one.finish(one.send(tries=1, once=True))
    one.together(2)


def _late(how: str) -> Callable[[Play], None]:
    def play(one: Play) -> None:
        stop = one.stop_at(WRITE, how=how, seconds=LEASE_S + 2.0, arrivals=len(one.markers))
        first = one.send(stop=stop)
        wait_for(stop.is_reached, seconds=20, what=f"{one.name}: about to write")
        time.sleep(LEASE_S + 0.2)
        one.finish(one.send())
        if how == "freeze":
            first.send_signal(18)  # SIGCONT
        one.finish(first)

    return play


PLAYS: dict[str, Callable[[Play], None]] = {
    "1": _answers_fail("answer_lost"),
    "2": _killed_at(ANSWERED),
    "3": _answers_fail("zombie", seconds=ZOMBIE_S),
    "4a": _never_executed,
    "4b": _uncertain,
    "5": _late("sleep"),
    "6": _late("freeze"),
    "7": _answers_fail("answer_lost"),
    "8": _unreadable,
    "9": _killed_at(CLAIMED),
}


def play(house: House, key: str, kind: str, *, items: int) -> Count:
    """One fault on one plain sender, counted at the target when nothing can come any more."""
    name = f"{key}-{kind}"
    folder = house.new_folder(name)
    space = f"plain-{folder.name}"
    made = house.admin.put_space(space, visibility_lag_s=LAG_S if key == "7" else 0.0)
    markers = [f"{name}-{number:03}" for number in range(items)]
    book_file = folder / "book.sqlite"
    book = Book(book_file)
    book.add(markers)
    one = Play(
        house, kind, name, house.admin.content_url(space), made["token"], space, book, book_file, markers
    )
    try:
        if key == "9" and kind == "naive":
            _naive_killed_before_sending(one)
        else:
            PLAYS[key](one)
        time.sleep(ZOMBIE_S + 1.0 if key == "3" else 0.5)
    finally:
        one.end()
    return _count(one)


def _naive_killed_before_sending(one: Play) -> None:
    """It claims nothing: it is killed before its first write."""
    _killed_at(WRITE)(one)


def _count(one: Play) -> Count:
    inventory = one.house.admin.inventory(one.space)
    held = Counter(each["marker"] for each in [*inventory["objects"], *inventory["deletions"]])
    results = one.book.results()
    return Count(
        kind=one.kind,
        items=len(one.markers),
        objects=sum(held.values()),
        create_calls=one.house.admin.get_space(one.space)["create_calls"],
        doubled=sum(held[marker] > 1 for marker in one.markers),
        missing=sum(held[marker] == 0 for marker in one.markers),
        unknown=sum(results[marker] is None for marker in one.markers),
    )


def play_all(
    house: House, *, items: int, keys: Sequence[str], kinds: Sequence[str] = KINDS, at_once: int = 6
) -> dict[tuple[str, str], Count]:
    """Every fault on every plain sender, side by side."""
    with ThreadPoolExecutor(max_workers=at_once) as pool:
        jobs = {
            (key, kind): pool.submit(play, house, key, kind, items=items) for key in keys for kind in kinds
        }
        return {which: job.result() for which, job in jobs.items()}


def not_caught(counts: dict[tuple[str, str], Count]) -> list[str]:
    """Where the harness itself is wrong: what must fail passed, or what must pass failed."""
    wrong = []
    for (key, kind), count in counts.items():
        if key in MUST_FAIL[kind] and count.passed:
            wrong.append(f"“{TITLES[kind]}” came through fault {key}, which it cannot survive")
        if key in MUST_PASS[kind] and not count.passed:
            wrong.append(f"“{TITLES[kind]}” failed at fault {key} ({count.said}), which it survives")
    return wrong

"""Where a process may die (FAULTS): each point x each guard x each way of going, with a real worker."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from once_delivery.targets.profile import Guard
from tests.faults.house import House
from tests.faults.judging import Verdict, judge
from tests.faults.printing import table
from tests.faults.processes import HarnessError, Worker
from tests.faults.stops import Stop
from tests.faults.world import World, a_world

POINTS: Mapping[str, str] = {
    "K1": "before the intent commits",
    "K2": "after it, before connecting",
    "K3": "connected, nothing sent",
    "K4": "request written",
    "K5": "the target committed, no answer yet",
    "K6": "in the middle of the answer",
    "K7": "answer read, result not committed",
    "K8": "result committed, nothing told to anybody",
}
GUARDS = (Guard.IDEMPOTENCY_KEY, Guard.CLIENT_ID, Guard.LOOKUP, Guard.NONE)
WAYS: Mapping[str, str] = {
    "kill": "SIGKILL",
    "freeze": "SIGSTOP past the lease, then SIGCONT",
    "reset": "the target's connection is reset",
    "database": "the database is gone for a while",
}
# nothing is on its way to the target before K3 or after K6, so nothing can be reset there
RESET_AT = frozenset({"K3", "K4", "K5", "K6"})
TIMES = {"deadline_s": 0.8, "settle_s": 2.5, "look_up_every_s": 0.5}
ITEMS = 3
AT_ONCE = 8  # cases side by side
DATABASE_GONE_S = 1.5
# what makes the point last long enough to be met there
_MEANWHILE: Mapping[str, tuple[str, dict[str, Any]]] = {
    "K4": ("zombie", {"seconds": 1.5}),
    "K5": ("slow", {"seconds": 3.0}),
    "K6": ("slow_body", {"seconds": 0.02}),
}
_RESETS = {"K4": "reset_before", "K5": "reset_after", "K6": "cut_in_answer"}


@dataclass(frozen=True, slots=True)
class Case:
    """One field of the matrix."""

    point: str
    guard: Guard
    way: str

    def __str__(self) -> str:
        return f"{self.point}-{self.guard}-{self.way}"


def matrix() -> list[Case]:
    """Every case that can be."""
    return [
        Case(point, guard, way)
        for point in POINTS
        for guard in GUARDS
        for way in WAYS
        if way != "reset" or point in RESET_AT
    ]


def play(house: House, case: Case) -> Verdict:
    """One case to its verdict."""
    with a_world(house, str(case).lower(), items=ITEMS, guard=case.guard, times=TIMES) as world:
        try:
            _PLAYS[case.way](world, case)
        except HarnessError as error:
            world.mark_rested()
            return judge(world).with_problem(str(error))
        return judge(world)


def play_all(house: House, cases: Iterable[Case], *, at_once: int = AT_ONCE) -> dict[Case, Verdict]:
    """Many cases side by side: most of their time is waiting."""
    with ThreadPoolExecutor(max_workers=at_once) as pool:
        jobs = {case: pool.submit(play, house, case) for case in cases}
        return {case: job.result() for case, job in jobs.items()}


def _met(world: World, case: Case, **how: Any) -> tuple[Worker, Stop]:
    """A worker that stands at the point."""
    if case.point in _MEANWHILE:
        fault, rule = _MEANWHILE[case.point]
        world.arm(fault, **rule)
    stop = world.stop_at(case.point, **how)
    worker = world.worker(stop=stop)
    world.reached(stop, worker)
    if case.point == "K5":
        world.holds(1)
    return worker, stop


def _kill(world: World, case: Case) -> None:
    worker, _ = _met(world, case)
    world.begin()
    worker.kill()
    world.work()
    world.rest()
    world.calm(1.0)


def _freeze(world: World, case: Case) -> None:
    worker, _ = _met(world, case, how="freeze")
    world.work()
    _take_over(world)
    worker.thaw()
    world.rest()
    world.calm(1.0)


def _take_over(world: World) -> None:
    """While the first stands, another does everything; at the least the lease is over before the first wakes."""
    world.rest(seconds=world.profile.lease_s + world.profile.settle_s + 6.0)
    time.sleep(max(0.0, world.profile.lease_s + 0.5 - world.seconds_since_begin()))


def _reset(world: World, case: Case) -> None:
    world.begin()
    if case.point == "K3":
        world.supervise(world.worker(stop=world.stop_at("K3-reset")))
    else:
        world.arm(_RESETS[case.point])
        world.work()
    world.rest()


def _database(world: World, case: Case) -> None:
    worker, stop = _met(world, case)
    with world.database_gone():
        stop.let_go()
        time.sleep(DATABASE_GONE_S)
    world.supervise(worker)
    world.rest()
    world.calm(1.0)


_PLAYS = {"kill": _kill, "freeze": _freeze, "reset": _reset, "database": _database}


def lines(found: Mapping[Case, Verdict]) -> Iterator[str]:
    """The matrix: a line a point, a column a guard, in each field the ways that passed and those that did not."""
    rows = [["", "", *(str(guard) for guard in GUARDS)]]
    for point, title in POINTS.items():
        rows.append([point, title, *(_field(found, point, guard) for guard in GUARDS)])
    yield from table(rows)
    for case, verdict in found.items():
        for problem in verdict.problems:
            yield f"  {case}: {problem}"


def _field(found: Mapping[Case, Verdict], point: str, guard: Guard) -> str:
    mine = {
        case.way: verdict for case, verdict in found.items() if (case.point, case.guard) == (point, guard)
    }
    return " ".join(way if verdict.passed else f"{way.upper()}-FAILED" for way, verdict in mine.items())

"""The nine faults (ten cases), each played on ONCE with its own commands and default settings."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from once_delivery.targets.profile import Guard
from tests.faults.house import House
from tests.faults.judging import Verdict, judge
from tests.faults.processes import HarnessError, wait_for
from tests.faults.stops import WRITE
from tests.faults.world import AT_ONCE, World, a_world

ZOMBIE_S = 5.0
LAG_S = 3.0
SLOW_S = 0.3  # a target takes its time, as targets do: two that check first both see nothing
AT_ONCE_CASES = 5  # cases side by side
UNREADABLE = (
    "no_id", "cut_json", "error_null", "ok_error_body", "accepted", "see_other", "bad_gzip", "html", "empty",
    "other_action",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fault:
    """One of the nine. ``play`` returns when all has come to rest."""

    key: str
    title: str
    play: Callable[[World], None]
    space: Mapping[str, Any] = field(default_factory=dict)
    times: Mapping[str, Any] = field(default_factory=dict)


def _answer_lost(world: World) -> None:
    world.arm("answer_lost")
    world.begin()
    world.work()
    world.rest()


def _killed_after_commit(world: World) -> None:
    """Every item is committed at the target and none of it recorded when the worker dies."""
    stop = world.stop_at("K7")
    first = world.worker(stop=stop)
    world.reached(stop, first)
    world.holds(len(world.markers))
    world.begin()
    first.kill()
    world.work()
    world.rest()


def _zombie(world: World) -> None:
    world.arm("zombie", seconds=ZOMBIE_S)
    world.begin()
    world.work()
    world.rest()
    world.calm(1.0)


def _two_at_once_never_executed(world: World) -> None:
    world.arm("zombie", seconds=SLOW_S)
    _together(world)


def _two_at_once_uncertain(world: World) -> None:
    """Half of them are at the target and half are not, and nobody knows which when two people press resume."""
    make_uncertain(world)
    _together(world)


def make_uncertain(world: World) -> None:
    """Every item was sent and has no answer; every second one is not at the target. Look-ups failed so far."""
    world.set_space(look_up_status=500)
    world.arm("answer_lost", only=world.markers[::2])
    world.arm("reset_before", only=world.markers[1::2])
    world.resume(wait_s=0.0, first=True).wait(40.0)
    resting = "reconcile" if world.guard == Guard.NONE else "uncertain"
    if world.states() != {resting: len(world.markers)}:
        raise HarnessError(f"not all uncertain: {world.states()}")
    world.set_space()


def _together(world: World) -> None:
    workers = world.resume_together(2)
    codes = [worker.wait(60.0) for worker in workers]
    if world.guard != Guard.NONE and any(codes):
        raise HarnessError(f"a recovery ended with {codes}: " + "".join(worker.said() for worker in workers))
    world.rest(seconds=1.0)


def _stale_holder(world: World) -> None:
    """The first is slow: it sleeps between its last check and its write until long after its lease."""
    stop = world.stop_at(WRITE, how="sleep", seconds=6.0, arrivals=_senders(world))
    first = world.worker(stop=stop)
    world.reached(stop, first)
    world.work()
    world.rest()
    _ended_by_the_kernel(world, first.wait(10.0))


def _frozen_holder(world: World) -> None:
    """Frozen just before its write for longer than lease and settle time; another took over; then it wakes."""
    _ended_by_the_kernel(world, _freeze_and_thaw(world))


def _frozen_without_alarm(world: World) -> None:
    """What the kernel's timer is for: without it the sender sends when it wakes."""
    if _freeze_and_thaw(world, without=("alarm",)) == -signal.SIGALRM:
        raise HarnessError("the alarm was to be off")


def _freeze_and_thaw(world: World, *, without: Sequence[str] = ()) -> int:
    """How the holder ended after it woke: with every one of its senders about to write."""
    stop = world.stop_at(WRITE, how="spin", seconds=2.5, arrivals=_senders(world))
    first = world.worker(stop=stop, without=without)
    world.reached(stop, first)
    first.freeze()
    world.work()
    world.rest()
    wait_for(
        lambda: world.seconds_since_begin() > world.profile.lease_s + world.profile.settle_s + 1.0,
        seconds=60.0,
        what="lease and settle time are over",
    )
    first.thaw()
    world.calm(1.5)
    return first.wait(5.0) if not without else first.stop()


def _ended_by_the_kernel(world: World, code: int) -> None:
    if code != -signal.SIGALRM:
        raise HarnessError(f"{world.name}: the holder was to be ended by its alarm, not with {code}")


def _senders(world: World) -> int:
    return min(AT_ONCE, len(world.markers))


def _look_up_lag(world: World) -> None:
    world.arm("answer_lost")
    world.begin()
    world.work()
    world.rest()


def _unreadable_success(world: World) -> None:
    for number, marker in enumerate(world.markers):
        world.arm("unreadable", only=[marker], variant=UNREADABLE[number % len(UNREADABLE)])
    world.begin()
    world.work()
    world.rest()


def _killed_before_sending(world: World) -> None:
    stop = world.stop_at("K2")
    first = world.worker(stop=stop)
    world.reached(stop, first)
    first.kill()
    world.work()
    world.rest()


NINE: tuple[Fault, ...] = (
    Fault("1", "answer lost", _answer_lost),
    Fault("2", "SIGKILL after the target's commit", _killed_after_commit),
    Fault("3", "zombie: time-out at 1 s, commit at 5 s", _zombie),
    Fault("4a", "two recoveries at once, never executed", _two_at_once_never_executed),
    Fault("4b", "two recoveries at once, uncertain", _two_at_once_uncertain),
    Fault("5", "stale holder: slow past its lease", _stale_holder),
    Fault("6", "holder frozen past lease and settle time", _frozen_holder),
    Fault(
        "7",
        "look-up lags by 3 s",
        _look_up_lag,
        space={"visibility_lag_s": LAG_S},
        times={"consistency": "bounded", "index_lag_s": LAG_S},
    ),
    Fault("8", "success that cannot be read", _unreadable_success),
    Fault("9", "SIGKILL between claim and send", _killed_before_sending),
)

# the harness shows on ONCE itself that it would notice: this one must end with two objects
WITHOUT_ALARM = Fault("6x", "as 6, with the kernel's timer taken away", _frozen_without_alarm)


def play(house: House, fault: Fault, *, items: int, guard: Guard = Guard.LOOKUP) -> Verdict:
    """One fault from its setting up to its verdict; a case that does not come to rest is a failed verdict."""
    times = fault.times if guard == Guard.LOOKUP else {}
    with a_world(
        house, f"{fault.key}-{guard}", items=items, guard=guard, space=fault.space, times=times
    ) as world:
        try:
            fault.play(world)
        except HarnessError as error:
            world.mark_rested()
            return judge(world).with_problem(str(error))
        return judge(world)


def play_all(
    house: House,
    *,
    items: int,
    guard: Guard = Guard.LOOKUP,
    faults: Sequence[Fault] = NINE,
    at_once: int = AT_ONCE_CASES,
) -> dict[str, Verdict]:
    """Many faults side by side: most of their time is waiting."""
    with ThreadPoolExecutor(max_workers=at_once) as pool:
        jobs = {fault.key: pool.submit(play, house, fault, items=items, guard=guard) for fault in faults}
        return {key: job.result() for key, job in jobs.items()}

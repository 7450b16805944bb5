"""A target that is down burns no attempts, and gets what is due when it is back (FAULTS 22)."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from once_delivery.sandbox.process import SandboxProcess
from tests.faults.extent import part
from tests.faults.house import House
from tests.faults.judging import judge
from tests.faults.world import a_world

SHORT = {"deadline_s": 1.0, "settle_s": 2.0, "look_up_every_s": 0.5}
ITEMS = part(40, 20)
DOWN_S = part(12.0, 2.0)


@pytest.fixture
def target(house: House) -> Iterator[SandboxProcess]:
    """A sandbox that may be ended."""
    with SandboxProcess(house.new_folder("target")) as process:
        yield process


def test_a_target_that_is_down_is_left_alone_and_then_gets_what_is_due(
    house: House, target: SandboxProcess
) -> None:
    with a_world(house, "down", items=ITEMS, times=SHORT, sandbox=target) as world:
        world.admin.add_fault(world.space, "slow", times=0, seconds=0.1)
        world.work()
        world.holds(4)

        target.kill()
        time.sleep(1.5)
        attempts = world.attempts()
        time.sleep(DOWN_S)
        burnt = world.attempts() - attempts
        target.start()
        world.rest()

        assert burnt <= 2  # the breaker lets one action try
        assert world.restarts == 0
        verdict = judge(world)
        assert (verdict.problems, verdict.objects) == ((), ITEMS)
        assert verdict.states == {"confirmed": ITEMS}

"""Many recoveries at once, the workflow executed again as a whole, a worker killed at any moment of a large batch."""

from __future__ import annotations

import random
import time

import pytest

from tests.faults.extent import part
from tests.faults.house import House
from tests.faults.judging import judge
from tests.faults.nine import make_uncertain
from tests.faults.world import World, a_world

FIFTY = part(50, 10)
SHORT = {"deadline_s": 1.0, "settle_s": 2.0, "look_up_every_s": 0.5}


def results(world: World) -> dict[str, str]:
    return {row["marker"]: row["result_id"] for row in world.actions()}


@pytest.mark.parametrize("uncertain", [False, True], ids=["never executed", "uncertain"])
def test_fifty_recoveries_at_once_make_one_object_each_and_none_ends_in_error(
    house: House, uncertain: bool
) -> None:
    """FAULTS 5."""
    with a_world(house, "fifty", items=3, times=SHORT) as world:
        if uncertain:
            make_uncertain(world)

        codes = [worker.wait(90.0) for worker in world.resume_together(FIFTY, wait_s=40.0)]
        world.rest(seconds=1.0)

        assert codes == [0] * FIFTY
        verdict = judge(world)
        assert verdict.problems == ()
        assert verdict.create_calls == (4 if uncertain else 3)  # one of the three never came to the target


def test_a_recovery_that_does_not_wait_says_that_another_has_it(house: House) -> None:
    """FAULTS 5: "being handled" is no error of the program."""
    with a_world(house, "handled", items=3, times=SHORT) as world:
        world.arm("slow", seconds=0.6)

        workers = world.resume_together(6, wait_s=0.0)
        codes = {worker.wait(60.0) for worker in workers}
        world.work()
        world.rest()

        assert codes <= {0, 1}  # 1: not everything was finished when it looked
        assert any("Another run is handling it now" in worker.said() for worker in workers)
        assert not any("Traceback" in worker.said() for worker in workers)
        assert judge(world).problems == ()


def test_the_workflow_executed_again_adds_nothing(house: House) -> None:
    """FAULTS 14: under new execution IDs, doubled 20 ms apart, every hour for three days."""
    with a_world(house, "again", items=4, times=SHORT) as world:
        world.resume().wait(30.0)
        first = results(world)

        pairs = []
        for number in range(part(72, 12)):
            world.ask_again()
            pairs.append(world.resume(wait_s=5.0, external_id=f"execution-{number}"))
            if number % 12 == 0:
                time.sleep(0.02)
                pairs.append(world.resume(wait_s=5.0, external_id=f"doubled-{number}"))
            pairs[-1].wait(30.0)

        assert [worker.wait(30.0) for worker in pairs] == [0] * len(pairs)
        assert results(world) == first
        verdict = judge(world)
        assert (verdict.problems, verdict.objects, verdict.create_calls) == ((), 4, 4)


def test_a_worker_killed_at_any_moment_of_a_large_batch_leaves_one_object_each(house: House) -> None:
    items, kills = part(1000, 150), part(8, 3)
    chance = random.Random()  # noqa: S311 -- any moment; the seed is said when it fails
    seed = chance.randrange(1_000_000)
    chance.seed(seed)
    with a_world(house, "large", items=items, times=SHORT) as world:
        # a little slow, so that something is always under way
        world.admin.add_fault(world.space, "slow", times=0, seconds=0.02)
        for _ in range(kills):
            worker = world.worker()
            time.sleep(chance.uniform(0.1, 1.2))
            worker.kill()
        killed_after = world.states()

        assert world.resume(wait_s=60.0).wait(120.0) == 0, world.states()
        world.mark_rested()

        verdict = judge(world)
        assert verdict.problems == (), f"seed {seed}"
        assert (verdict.objects, verdict.states) == (items, {"confirmed": items})
        assert verdict.create_calls <= items, f"seed {seed}"
        assert killed_after.get("sending", 0) + killed_after.get("uncertain", 0) > 0 or items == 150, (
            "killed too late"
        )

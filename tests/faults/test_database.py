"""The database is lost around a COMMIT, is gone again and again, and is restarted through a whole batch (FAULTS 16)."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from once_delivery.common.embedded_postgres import EmbeddedPostgres
from once_delivery.targets.profile import Guard
from tests.faults.cutting import CuttingProxy
from tests.faults.extent import FULL, part
from tests.faults.house import House
from tests.faults.judging import judge
from tests.faults.world import World, a_world

INTENT, RESULT = b"INSERT INTO ledger_attempt", b"INSERT INTO ledger_receipt"
SHORT = {"deadline_s": 1.0, "settle_s": 2.0, "look_up_every_s": 0.5}
ITEMS = 4


@pytest.mark.parametrize("guard", [Guard.LOOKUP, Guard.NONE])
@pytest.mark.parametrize("committed", [True, False], ids=["committed", "not committed"])
@pytest.mark.parametrize("statement", [INTENT, RESULT], ids=["intent", "result"])
def test_a_commit_whose_outcome_is_unknown_costs_no_second_request(
    house: House, statement: bytes, committed: bool, guard: Guard
) -> None:
    """R1: after an unknown commit of the intent nothing is sent; of the result, it is recorded once."""
    with a_world(house, "commit", items=ITEMS, guard=guard, times=SHORT) as world:
        server = Path(house.server.connection()["host"])
        folder = house.new_folder("proxy")
        with CuttingProxy(server, folder, statement=statement, committed=committed) as proxy:
            world.supervise(world.worker(database_host=str(folder)))
            world.rest()
            world.end()

        assert proxy.cuts == 1
        verdict = judge(world)
        assert (verdict.problems, verdict.states) == ((), {"confirmed": ITEMS})
        assert (verdict.objects, verdict.create_calls) == (ITEMS, ITEMS)


def test_a_database_that_is_gone_every_second_delays_and_loses_nothing(house: House) -> None:
    items = part(120, 40)
    with a_world(house, "gone", items=items, times=SHORT) as world:
        world.admin.add_fault(world.space, "slow", times=0, seconds=part(0.15, 0.1))
        worker = world.work()
        gone = 0
        while not world.rests() and gone < 30:
            time.sleep(0.4)
            with world.database_gone():
                time.sleep(0.4)
            gone += 1
        world.rest()

        assert gone > 1
        assert not worker.has_ended(), worker.said()
        verdict = judge(world)
        assert (verdict.problems, verdict.objects) == ((), items)


def test_running_out_of_connections_delays_and_loses_nothing(house: House) -> None:
    """FAULTS 22."""
    with a_world(house, "full", items=8, times=SHORT) as world:
        house.limit_connections(world.database, most=1)  # this harness's own
        world.work()
        time.sleep(1.0)
        assert world.states() == {"planned": 8}

        house.limit_connections(world.database, most=-1)
        world.rest()

        verdict = judge(world)
        assert (verdict.problems, verdict.objects, world.restarts) == ((), 8, 0)


@pytest.fixture
def house_of_its_own(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[House]:
    """On a PostgreSQL that may be restarted, and that keeps what it committed."""
    server = EmbeddedPostgres(tmp_path / "state", durable=True)
    try:
        with django_db_blocker.unblock(), House(server) as house:
            yield house
    finally:
        server.destroy()


@pytest.mark.skipif(not FULL, reason="takes long: ONCE_TEST_FULL=1")
def test_a_database_that_is_restarted_every_few_seconds_delays_and_loses_nothing(
    house_of_its_own: House,
) -> None:
    items = 200
    with a_world(house_of_its_own, "restarts", items=items, times=SHORT) as world:
        world.admin.add_fault(world.space, "slow", times=0, seconds=0.3)
        worker = world.work()
        restarts = _restart_until_rest(world)

        assert restarts > 2
        assert not worker.has_ended(), worker.said()
        verdict = judge(world)
        assert (verdict.problems, verdict.objects) == ((), items)


def _restart_until_rest(world: World) -> int:
    """Now in order, now as in a crash; how often."""
    modes = itertools.cycle(("fast", "immediate"))
    for number in range(40):
        time.sleep(2.0)
        if world.rests():
            world.mark_rested()
            return number
        world.house.server.stop(mode=next(modes))
        world.house.server.ensure_running()
    raise AssertionError(world.states())

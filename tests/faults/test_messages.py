"""Messages only wake: lost, doubled, held by a killed worker, they change nothing (R12, FAULTS 15)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from once_delivery.config.celery import app
from once_delivery.ledger.tasks import work_target
from tests.faults.house import House
from tests.faults.judging import judge
from tests.faults.processes import wait_for
from tests.faults.stops import Stop
from tests.faults.world import World, a_world
from tests.workers import PGMQ, sending_to

ITEMS = 6
SHORT = {"deadline_s": 1.0, "settle_s": 2.0, "look_up_every_s": 0.5}
QUIET = ("--without-mingle", "--without-gossip", "--without-heartbeat")


@contextmanager
def celery(
    world: World, name: str, *arguments: str, stop: Stop | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A process as the Procfile starts it, on the world's database; killed at the end."""
    folder = world.house.new_folder(name)
    environment = world.house.environment(
        DATABASE_URL=world.house.conninfo(world.database),
        CELERY_BROKER_URL=PGMQ,
        ONCE_STATE_DIR=str(folder),
        ONCE_REDELIVERY_SECONDS="3",
        ONCE_LOG_LEVEL="INFO",
        ONCE_TEST_STOP=json.dumps(stop.as_json()) if stop else "",
    )
    log = folder / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "tests.faults.celery_app", *arguments],
            env=environment,
            stdout=output,
            stderr=output,
            cwd=Path(__file__).parents[2],
        )
    try:
        if arguments[0] == "worker":
            wait_for(lambda: b" ready." in log.read_bytes(), seconds=40, what=f"{name} ready")
        yield process
    finally:
        process.kill()
        process.wait()


def a_worker(
    world: World, name: str, *, stop: Stop | None = None
) -> AbstractContextManager[subprocess.Popen[bytes]]:
    return celery(
        world, name, "worker", "--pool", "solo", "-n", f"{name}@faults", "-l", "INFO", *QUIET, stop=stop
    )


def send(world: World, *, times: int) -> None:
    """The same message so often."""
    target = world.rows.read("SELECT target_id FROM ledger_action LIMIT 1")[0]["target_id"]
    with world.house.on_database(world.database), sending_to(app, PGMQ):
        for _ in range(times):
            work_target.delay(target)


def empty_the_broker(world: World) -> int:
    removed: int = world.rows.read("SELECT pgmq.purge_queue('once') AS n")[0]["n"]
    return removed


def test_lost_doubled_and_unacknowledged_messages_change_nothing(house: House) -> None:
    with a_world(house, "messages", items=ITEMS, times=SHORT) as world:
        send(world, times=3)
        assert empty_the_broker(world) == 3
        stop = world.stop_at("K7")
        with (
            celery(world, "beat", "beat", "-l", "INFO", "--pidfile", ""),
            a_worker(world, "first", stop=stop) as first,
        ):
            # nobody told anybody: the sweep finds the rows; the worker sends and dies before it records
            wait_for(stop.is_reached, seconds=30, what="the sweep gave out the work")
            world.holds(ITEMS)
            send(world, times=5)
            with a_worker(world, "second"):
                wait_for(lambda: waiting(world) <= 1, seconds=20, what="the doubled messages were taken")
                first.kill()
                world.rest()
                world.calm(0.5)

        verdict = judge(world)
        assert (verdict.problems, verdict.states) == ((), {"confirmed": ITEMS})
        assert (verdict.objects, verdict.create_calls) == (ITEMS, ITEMS)


def waiting(world: World) -> int:
    count: int = world.rows.read("SELECT count(*) AS n FROM pgmq.q_once")[0]["n"]
    return count

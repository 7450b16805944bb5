"""A real dump is restored after the batch was performed: the ledger knows less than the target holds (DESIGN section 10)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from once_delivery.accounts.models import Project
from once_delivery.common.postgres_programs import Programs
from once_delivery.targets.profile import Guard
from tests.faults.house import House
from tests.faults.judging import judge
from tests.faults.processes import Worker
from tests.faults.world import PROJECT, World, a_world, ask_for

SHORT = {"deadline_s": 1.0, "settle_s": 2.0, "look_up_every_s": 0.5}
ITEMS = 4


class Backup:
    """A dump of the case's database by PostgreSQL's own program."""

    def __init__(self, world: World) -> None:
        self.made_at = datetime.now(UTC)
        self._world = world
        self._programs = Programs(world.house.server.place)
        # where the server's user may write
        self._file = world.house.server.place.home / f"{world.database}.dump"
        self._programs.run(
            "pg_dump", *self._address(), "--format=custom", f"--file={self._file}", world.database
        )

    def restore(self) -> None:
        """The database is what it was; what was done since is not in it."""
        world = self._world
        world.end()
        world.rows.close()
        world.house.drop_database(world.database)
        world.house.empty_database(world.database)
        self._programs.run(
            "pg_restore", *self._address(), "--exit-on-error", f"--dbname={world.database}", str(self._file)
        )
        self._file.unlink()

    def _address(self) -> tuple[str, ...]:
        where = self._world.house.server.connection(self._world.database)
        return f"--host={where['host']}", f"--port={where['port']}", f"--username={where['user']}"


def say_so(world: World, backup: Backup) -> Worker:
    """``manage.py ledger_restored``."""
    said = world.house.nursery.start(
        "ledger_restored", "--since", backup.made_at.isoformat(), database=world.database
    )
    assert said.wait(30.0) == 0, said.said()
    return said


@pytest.mark.parametrize("guard", [Guard.LOOKUP, Guard.CLIENT_ID])
def test_drafts_that_were_made_after_the_backup_are_found_and_none_is_made_twice(
    house: House, guard: Guard
) -> None:
    with a_world(house, "restored", items=ITEMS, guard=guard, times=SHORT) as world:
        backup = Backup(world)
        world.work()
        world.rest()
        assert world.states() == {"confirmed": ITEMS}
        before = {row["marker"]: row["result_id"] for row in world.actions()}

        backup.restore()
        assert world.states() == {"planned": ITEMS}
        say_so(world, backup)
        assert world.states() == {"uncertain": ITEMS}
        say_so(world, backup)
        world.begin()
        world.work()
        world.rest()

        assert {row["marker"]: row["result_id"] for row in world.actions()} == before
        verdict = judge(world)
        assert (verdict.states, verdict.objects, verdict.create_calls) == ({"confirmed": ITEMS}, ITEMS, ITEMS)


def test_without_a_way_to_ask_every_one_is_a_persons(house: House) -> None:
    with a_world(house, "unasked", items=ITEMS, guard=Guard.NONE, times=SHORT) as world:
        backup = Backup(world)
        world.work()
        world.rest()
        backup.restore()
        say_so(world, backup)
        world.begin()
        world.work()
        world.rest()

        assert world.states() == {"reconcile": ITEMS}
        assert world.tell() == ITEMS
        assert judge(world).create_calls == ITEMS


def test_what_the_backup_knows_nothing_of_is_asked_for_again_and_found(house: House) -> None:
    """The batch came after the backup: asked for again while the restoration is open, it is looked for."""
    with a_world(house, "unknown", items=ITEMS, times=SHORT) as world:
        world.work()
        world.rest()
        backup = Backup(world)
        with house.on_database(world.database):
            _ask_for_more()
        world.rest()
        assert world.states() == {"confirmed": 2 * ITEMS}

        backup.restore()
        say_so(world, backup)
        world.work()
        with house.on_database(world.database):
            _ask_for_more()
        world.rest()

        assert world.states() == {"confirmed": 2 * ITEMS}
        held = world.admin.get_space(world.space)["objects"]
        assert sum(held.values()) == 2 * ITEMS


def _ask_for_more() -> None:
    ask_for(Project.objects.get(code=PROJECT), ITEMS, batch="later", first=ITEMS)

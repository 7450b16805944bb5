"""One case: a database, a space of the sandbox, a target, a batch; and what one does to it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, LiteralString

import psycopg
from psycopg.rows import dict_row

from once_delivery.accounts.models import Project
from once_delivery.common.secrets import seal
from once_delivery.drill.setting_up import SPACES
from once_delivery.ledger.requests import ActionRequest, BatchRequest, DeliveryRequest
from once_delivery.ledger.services.request_batch import request_batch
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.sandbox.process import SandboxProcess
from once_delivery.targets.base import Kind
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Guard, Profile
from once_delivery.targets.rest.profiles import ready_profile
from reconciliation.services.open_cases import open_cases
from tests.builders import APPROVED_AT
from tests.faults.house import House
from tests.faults.processes import HarnessError, Worker, wait_for
from tests.faults.stops import Stop

PROJECT = "demo"
BATCH = "batch"
# short and honest: nothing of the harness commits later than 5 s after its sender gave up
TIMES = {"deadline_s": 1.0, "settle_s": 7.0, "look_up_every_s": 1.0}
DATABASE_AWAY_S = 30.0
AT_ONCE = 4  # requests that one process has under way (a lane of the target)
Row = dict[str, Any]
_MOVING = """SELECT 1 FROM ledger_action
WHERE state NOT IN ('confirmed', 'superseded', 'cancelled') AND next_step <> 'person' LIMIT 1"""


class Rows:
    """Reads the case's database with a connection that comes back when the database does."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._connection: psycopg.Connection[Row] | None = None

    @property
    def backend(self) -> int:
        return self._open().info.backend_pid

    def read(self, query: LiteralString, parameters: Sequence[Any] = ()) -> list[Row]:
        """Every row; tried again for a while when the database is away."""
        end = time.monotonic() + DATABASE_AWAY_S
        while True:
            try:
                return self._open().execute(query, parameters).fetchall()
            except psycopg.OperationalError:
                self.close()
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _open(self) -> psycopg.Connection[Row]:
        if self._connection is None:
            self._connection = psycopg.connect(self._conninfo, autocommit=True, row_factory=dict_row)
        return self._connection


@dataclass(slots=True)
class World:
    """A case under way. ``began`` and ``rested`` are monotonic seconds."""

    house: House
    name: str
    guard: Guard
    database: str
    space: str
    settings: Mapping[str, Any]
    profile: Profile
    markers: Sequence[str]
    admin: SandboxAdmin
    rows: Rows
    began: float = field(default_factory=time.monotonic)
    rested: float = 0.0
    restarts: int = 0
    _working: list[Worker] = field(default_factory=list)
    _stops: int = 0

    # what goes wrong

    def arm(self, fault: str, *, only: Sequence[str] | None = None, **rule: Any) -> None:
        """The next create of each marker (of those in ``only``) meets this fault."""
        for marker in self.markers if only is None else only:
            self.admin.add_fault(self.space, fault, match={"marker": marker}, **rule)

    def set_space(self, **changes: Any) -> None:
        """Change how the target can be asked, until the next call."""
        self.admin.put_space(self.space, **{**self.settings, **changes})

    def stop_at(self, point: str, **how: Any) -> Stop:
        """A place for one worker to stop at."""
        self._stops += 1
        return Stop(point=point, folder=self.house.new_folder(f"{self.name}-{point}"), **how)

    @contextmanager
    def database_gone(self) -> Iterator[None]:
        """Inside, every connection is ended by the server and no new one let in."""
        self.house.allow_connections(self.database, allowed=False)
        try:
            self.house.end_connections(self.database, but=self.rows.backend)
            yield
        finally:
            self.house.allow_connections(self.database, allowed=True)

    # processes

    def worker(
        self, *, stop: Stop | None = None, without: Sequence[str] = (), database_host: str = ""
    ) -> Worker:
        """``manage.py perform_due``, left to itself."""
        return self.house.nursery.start(
            "perform_due",
            "--every",
            "0.2",
            database=self.database,
            stop=stop,
            without=without,
            database_host=database_host,
        )

    def work(self) -> Worker:
        """A worker that is started again when it ends, as a supervisor would, until all has come to rest."""
        return self.supervise(self.worker())

    def supervise(self, worker: Worker) -> Worker:
        """Start another when this one ends."""
        self._working.append(worker)
        return worker

    def resume(
        self,
        *,
        wait_s: float = 30.0,
        barrier: Path | None = None,
        first: bool = False,
        external_id: str = "",
    ) -> Worker:
        """``manage.py resume``: one person's recovery."""
        more = (*(("--first",) if first else ()), *(("--external-id", external_id) if external_id else ()))
        return self.house.nursery.start(
            "resume", PROJECT, BATCH, "--wait", str(wait_s), *more, database=self.database, barrier=barrier
        )

    def resume_together(self, count: int, *, wait_s: float = 30.0) -> list[Worker]:
        """Recoveries in processes of their own, released at one moment, which is when the case begins."""
        barrier = self.house.new_folder(f"{self.name}-barrier")
        workers = [self.resume(wait_s=wait_s, barrier=barrier) for _ in range(count)]
        wait_for(
            lambda: len(list(barrier.glob("ready-*"))) == count, seconds=40, what="recoveries at the barrier"
        )
        self.begin()
        (barrier / "go").touch()
        return workers

    def reached(self, stop: Stop, worker: Worker, *, seconds: float = 20.0) -> None:
        """The worker stands at its place; the case begins."""
        wait_for(
            lambda: stop.is_reached() or worker.has_ended(),
            seconds=seconds,
            what=f"{self.name}: {stop.point} reached",
        )
        if worker.has_ended() and not stop.is_reached():
            wait_for(lambda: False, seconds=0, what=f"{self.name}: worker ended at once: {worker.said()}")
        self.begin()

    # waiting

    def begin(self) -> None:
        self.began = time.monotonic()

    def rest(self, *, seconds: float = 60.0, every: float = 0.05) -> None:
        """Wait until nothing moves by itself any more: every action is final or waits for a person."""
        try:
            wait_for(self.rests, seconds=seconds, what=f"{self.name}: rest", every=every)
        except HarnessError as error:
            raise HarnessError(f"{error}; {self.states()}") from None
        self.mark_rested()

    def mark_rested(self) -> None:
        self.rested = time.monotonic()

    def seconds_since_begin(self) -> float:
        return time.monotonic() - self.began

    def holds(self, count: int, *, seconds: float = 20.0) -> None:
        """Wait until the target holds so many objects."""
        wait_for(lambda: self._held() >= count, seconds=seconds, what=f"{self.name}: {count} objects")

    def calm(self, seconds: float) -> None:
        """Let pass what may still come: a zombie, a thawed sender."""
        time.sleep(seconds)

    def rests(self) -> bool:
        """Does nothing move by itself any more?"""
        for number, one in enumerate(self._working):
            if one.has_ended():
                self.restarts += 1
                self._working[number] = self.worker()
        return not self.rows.read(_MOVING)

    def _held(self) -> int:
        return sum(self.admin.get_space(self.space)["objects"].values())

    # what stands in the ledger

    def states(self) -> dict[str, int]:
        found = self.rows.read("SELECT state, count(*) AS n FROM ledger_action GROUP BY state ORDER BY state")
        return {row["state"]: row["n"] for row in found}

    def attempts(self) -> int:
        found = self.rows.read("SELECT count(*) AS n FROM ledger_attempt")
        return int(found[0]["n"])

    def actions(self) -> list[Row]:
        return self.rows.read("SELECT * FROM ledger_action ORDER BY id")

    def ask_again(self) -> None:
        """The whole batch is asked for once more."""
        with self.house.on_database(self.database):
            ask_for(Project.objects.get(code=PROJECT), len(self.markers))

    def tell(self) -> int:
        """What the beat does every ten seconds: whoever must know gets a case."""
        with self.house.on_database(self.database):
            return open_cases()

    def end(self) -> None:
        for one in self._working:
            one.kill()


@contextmanager
def a_world(
    house: House,
    name: str,
    *,
    items: int,
    guard: Guard = Guard.LOOKUP,
    space: Mapping[str, Any] | None = None,
    times: Mapping[str, Any] | None = None,
    sandbox: SandboxProcess | None = None,
) -> Iterator[World]:
    """A case with ``items`` drafts that were asked for and not yet performed. ``sandbox``: one of its own."""
    admin = (sandbox or house.sandbox).admin
    database = house.new_database()
    settings = {**SPACES[guard], **(space or {})}
    space_name = f"{database[-12:].replace('_', '-')}-{name}"[:60].strip("-")
    made = admin.put_space(space_name, **settings)
    with house.on_database(database):
        ready = ready_profile("sandbox", guard)
        target = Target.objects.create(
            project=Project.objects.get(code=PROJECT),
            name="cms",
            kind="rest",
            base_url=admin.content_url(space_name),
            declaration=ready.declaration,
            profile_data={**ready.profile, **TIMES, **(times or {})},
            credentials_sealed=seal({"token": made["token"]}),
            allow_inside=True,
            is_test=True,
        )
        ask_for(target.project, items)
        profile = target.profile
    rows = Rows(house.conninfo(database))
    markers = [row["marker"] for row in rows.read("SELECT marker FROM ledger_action ORDER BY id")]
    world = World(house, name, guard, database, space_name, settings, profile, markers, admin, rows)
    try:
        yield world
    finally:
        world.end()
        rows.close()
        house.drop_database(database)


def ask_for(project: Project, items: int, *, batch: str = BATCH, first: int = 0) -> None:
    """Ask for ``items`` drafts; those that exist are referred to."""
    deliveries = tuple(_a_delivery(number) for number in range(first, first + items))
    request_batch(project=project, request=BatchRequest(name=batch, deliveries=deliveries), user=None)


def _a_delivery(number: int) -> DeliveryRequest:
    draft = {"title": f"Product {number}", "body": "<p>…</p>", "locale": "en-US"}
    return DeliveryRequest(
        product=f"product-{number:05}",
        product_name=f"Product {number}",
        locale="en-US",
        purpose="product-page",
        input_version=1,
        brief={"text": f"brief {number}"},
        approved_by="marketing",
        approved_at=APPROVED_AT,
        actions=(ActionRequest(target="cms", kind=Kind.CREATE_DRAFT, slot="main", payload=draft),),
    )

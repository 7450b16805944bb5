"""Where the time of an action goes, in one process on the no-op target. Needs Django to be set up."""

from __future__ import annotations

import time
from dataclasses import dataclass

import psutil
from django.db import connection

from bench.seed import Seeded, top_up
from once_delivery.ledger.services.work_target import work_target
from once_delivery.ledger.transitions import Actor

ACTOR = Actor("system:bench")
A_SECOND = 8_000  # more than one process does


@dataclass(frozen=True, slots=True)
class Cost:
    """What ``actions`` actions took: seconds by the clock and of processors, bytes of PostgreSQL's log."""

    actions: int
    clock_s: float
    python_s: float
    server_s: float  # of the one server process that this process speaks to
    log_bytes: int

    @property
    def waiting_s(self) -> float:
        """Neither of the two worked: the disk, the other programs of this machine."""
        return max(0.0, self.clock_s - self.python_s - self.server_s)


def watch(seeded: Seeded, *, seconds: float) -> Cost:
    """Perform for about ``seconds``, with everything warm."""
    top_up(seeded, round(A_SECOND * (seconds + 1.0)))
    work_target(target_id=seeded.target.pk, actor=ACTOR, budget_s=1.0)
    server = psutil.Process(int(_one("SELECT pg_backend_pid()")))
    before = _now(server)
    done = work_target(target_id=seeded.target.pk, actor=ACTOR, budget_s=seconds)
    clock, python, in_server, log = (now - then for now, then in zip(_now(server), before, strict=True))
    return Cost(done.performed, clock, python, in_server, int(log))


def _now(server: psutil.Process) -> tuple[float, float, float, float]:
    log = float(_one("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn"))
    used = server.cpu_times()
    return time.monotonic(), time.process_time(), used.user + used.system, log


def _one(query: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return str(cursor.fetchone()[0])

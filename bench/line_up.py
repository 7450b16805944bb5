"""Who takes part."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from bench.contenders.base import Contender, ContenderError, Crew
from bench.contenders.celery_worker import CeleryWorker
from bench.contenders.pgbench import PgBench
from bench.place import ROOT, STATE_DIR, conninfo, dbos_url, environment
from bench.seed import PAYLOAD, Seeded, top_up
from bench.two_commits import ROWS
from once_delivery.common.embedded_postgres import EmbeddedPostgres

CLIENTS = 8
DBOS_THREADS = 16
PROCESSES = 2  # of the ledger, and children of the Celery worker
LANE_THREADS = 4
LOGS = STATE_DIR / "logs"
DBOS_PLACE = ROOT / ".cache" / "bench-venv"
REQUIREMENTS = ROOT / "requirements-bench.txt"


def line_up(found: EmbeddedPostgres, *, noop: Seeded, sandbox: Seeded) -> list[Contender]:
    """In the order of the table."""
    LOGS.mkdir(parents=True, exist_ok=True)
    for log in LOGS.iterdir():
        log.unlink()
    text = conninfo(found)
    return [
        PgBench("pgbench", f"pgbench, two commits, {CLIENTS} clients", found.connection(), CLIENTS, LOGS / "two.sql"),
        _python(
            "loop",
            f"Python loop, two commits, {CLIENTS} threads",
            ["bench.workers.plain_loop", text, str(CLIENTS), str(ROWS)],
        ),
        _ledger("ledger-1", "ledger, no-op target, 1 process", noop, processes=1, guess=8_000),
        _ledger("ledger", f"ledger, no-op target, {PROCESSES} processes", noop, processes=PROCESSES, guess=12_000),
        CeleryWorker(
            "celery", f"Celery task an item, no ledger, {PROCESSES} children", environment(), LOGS / "celery", text,
            PROCESSES, PAYLOAD,
        ),
        _dbos(dbos_url(found)),
        _python(
            "sandbox-plain", f"sandbox over HTTP, no ledger, {PROCESSES} × {LANE_THREADS} threads",
            ["bench.workers.create_at_sandbox", sandbox.target.name, str(LANE_THREADS)], PROCESSES,
        ),
        _ledger(
            "sandbox", f"sandbox over HTTP, ledger, {PROCESSES} × {LANE_THREADS} threads", sandbox,
            processes=PROCESSES, guess=1_500,
        ),
    ]  # fmt: skip


def _python(key: str, title: str, module: Sequence[str], size: int = 1) -> Crew:
    return Crew(key, title, [sys.executable, "-m", *module], environment(), LOGS / key, size)


def _ledger(key: str, title: str, seeded: Seeded, *, processes: int, guess: float) -> Crew:
    crew = _python(key, title, ["bench.workers.ledger", seeded.target.name], processes)
    crew.fill, crew.guess = partial(top_up, seeded), guess
    return crew


def _dbos(url: str) -> Contender:
    command = [str(DBOS_PLACE / "bin" / "python"), "-m", "bench.workers.dbos_flow", url, str(DBOS_THREADS)]
    return Dbos(
        "dbos",
        f"DBOS, a workflow with one step an item, {DBOS_THREADS} threads",
        command,
        environment(),
        LOGS / "dbos",
    )


class Dbos(Crew):
    """In an environment of its own, so that what it needs never meets what the house needs."""

    def start(self) -> None:
        """See :class:`bench.contenders.base.Contender`."""
        self._install(DBOS_PLACE)
        super().start()

    def _install(self, place: Path) -> None:
        stamp = place / "installed"
        wanted = REQUIREMENTS.read_text(encoding="utf-8")
        if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
            return
        make = [sys.executable, "-m", "venv", "--clear", str(place)]
        install = [str(place / "bin" / "pip"), "install", "--quiet", "-r", str(REQUIREMENTS)]
        with self.log.open("ab") as log:
            for command in (make, install):
                if subprocess.run(command, stdout=log, stderr=log, check=False).returncode != 0:
                    raise ContenderError(f"could not be installed; see {self.log}")
        stamp.write_text(wanted, encoding="utf-8")

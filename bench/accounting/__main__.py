"""What accounting costs on a large ledger: posting, allocating, the report of each asset, the exports.

make bench-costs                                 10,000, 100,000 and 1,000,000 entries
make bench-costs ARGS="--entries 10000 100000"   smaller ones
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
import time
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import psutil
from psycopg import sql

from bench.accounting import printing
from bench.place import ROOT, BusyError, conninfo, postmaster
from bench.web.place import admin, empty, server, set_environment
from once_delivery.common.embedded_postgres import DATABASE, ROLE, EmbeddedPostgres

STATE_DIR = ROOT / ".once" / "bench-costs"
PANDAS = ROOT / ".cache" / "bench-pandas"
REQUIREMENTS = ROOT / "requirements-bench.txt"
ENTRIES_A_TASK = 9.6  # five of each attempt, the manual work, and what the shared fee leaves behind
_EMPTY = "bench_empty"
_ANALYSE = b"VACUUM (ANALYZE)"
ORDER = (
    "post",
    "allocate",
    "page",
    "pages",
    "plain",
    "pandas",
    "report",
    "csv",
    "xlsx",
    "ledger-csv",
    "ledger-xlsx",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command. 0: everything added up; 1: it did not; 2: it could not be measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--entries", type=int, nargs="+", default=[10_000, 100_000, 1_000_000], metavar="N")
    parser.add_argument("--json", type=Path, help="the figures in a file as well")
    given = parser.parse_args(arguments)
    set_environment(STATE_DIR)
    try:
        with server(STATE_DIR) as found:
            empty(found)
            made = _step("prepare", found)
            _copy(found, DATABASE, _EMPTY)
            runs = [_run(found, entries, made) for entries in given.entries]
    except BusyError:
        print("Another run measures the costs in this checkout.", file=sys.stderr)
        return 2
    print(printing.tables(runs))
    if given.json:
        given.json.write_text(json.dumps(runs, indent=1), encoding="utf-8")
    return 0 if all(printing.adds_up(run) for run in runs) else 1


def _copy(found: EmbeddedPostgres, source: str, name: str) -> None:
    """Tables are made once; each size begins with a copy of the empty ones."""
    with admin(found, "postgres") as connection:
        to, of = sql.Identifier(name), sql.Identifier(source)
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(to))
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER {}").format(to, of, sql.Identifier(ROLE))
        )


def _run(found: EmbeddedPostgres, entries: int, made: dict[str, Any]) -> dict[str, Any]:
    _copy(found, _EMPTY, DATABASE)
    tasks = round(entries / ENTRIES_A_TASK)
    with admin(found) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute(
            "CREATE TEMP TABLE seed_size AS SELECT %s::int AS tasks, %s::bigint AS project_id, %s::bigint AS user_id,"
            " %s::bigint AS target_id",
            [tasks, made["project"], made["user"], made["target"]],
        )
        connection.execute(Path(__file__).with_name("seed.sql").read_text(encoding="utf-8").encode())
        connection.execute(_ANALYSE)
    run: dict[str, Any] = {"entries": entries, "tasks": tasks}
    for name in ORDER:
        run[name] = _pandas(found) if name == "pandas" else _step(name, found)
        print(f"{entries:>9,} {printing.line(name, run[name])}", flush=True)
        if name == "allocate":
            with admin(found) as connection:
                connection.execute(_ANALYSE)
    return run


def _step(name: str, found: EmbeddedPostgres) -> dict[str, Any]:
    return _measured([sys.executable, "-m", "bench.accounting.steps", name], found)


def _pandas(found: EmbeddedPostgres) -> dict[str, Any]:
    return _measured(
        [str(_python()), str(Path(__file__).with_name("with_pandas.py")), conninfo(found)], found
    )


def _python() -> Path:
    """An interpreter that has pandas, in an environment of its own."""
    python, wanted = PANDAS / "bin" / "python", REQUIREMENTS.read_text(encoding="utf-8")
    stamp = PANDAS / "requirements.txt"
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
        venv.create(PANDAS, with_pip=True, clear=True)
        pins = [line.split("#")[0].strip() for line in wanted.splitlines()]
        chosen = [pin for pin in pins if pin.startswith(("pandas", "psycopg"))]
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *chosen], check=True)
        stamp.write_text(wanted, encoding="utf-8")
    return python


def _measured(command: list[str], found: EmbeddedPostgres) -> dict[str, Any]:
    """What the step says of itself, with the most memory of their own that the server's processes had meanwhile."""
    with _Watch(postmaster(found)) as watch:
        done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told | {"server_kb": watch.peak_kb, "server_s": watch.processor_s}


class _Watch:
    """Looks at the server's processes ten times a second: memory that is neither shared nor of a file, processor time."""

    def __init__(self, pid: int) -> None:
        self._server = psutil.Process(pid)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._before: dict[int, float] = {}
        self._used: dict[int, float] = {}
        self.peak_kb = 0

    def __enter__(self) -> Self:
        self._look_once()
        self._before, self._used = self._used, {}
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    @property
    def processor_s(self) -> float:
        """What they used meanwhile, but for the last tenth of a second of each."""
        return sum(used - self._before.get(pid, 0.0) for pid, used in self._used.items())

    def _look(self) -> None:
        while not self._over.is_set():
            self._look_once()
            time.sleep(0.1)

    def _look_once(self) -> None:
        total = 0
        for process in self._server.children(recursive=True):
            try:
                status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
                times = process.cpu_times()
            except (FileNotFoundError, ProcessLookupError, psutil.NoSuchProcess):
                continue
            total += next(
                (int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon")), 0
            )
            self._used[process.pid] = times.user + times.system
        self.peak_kb = max(self.peak_kb, total)


if __name__ == "__main__":
    sys.exit(main())

"""MariaDB from Debian's packages, on a socket alone, for systems that keep their data in it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.real.systems import ServerFailedError
from tests.real.systems.debian import have_programs, program
from tests.real.systems.process import ServerProcess

PROGRAMS = {"mariadbd": "mariadb-server-core", "mariadb": "mariadb-client-core"}
START_S = 60
AS_ROOT = ["--user=root"] if os.geteuid() == 0 else []


@dataclass(frozen=True, slots=True)
class MariaDb:
    """A running server; whoever reaches its socket is root."""

    socket: Path

    def sql(self, query: str, database: str = "") -> str:
        """What a query answers, tab-separated and without heads. Raises ServerFailedError."""
        return _run(
            program("mariadb"), "--no-defaults", "-uroot", f"-S{self.socket}", "--default-character-set=utf8mb4", "-N", "-B",
            *([database] if database else []), "-e", query,
        )  # fmt: skip

    def rows(self, query: str, database: str) -> list[list[str]]:
        """The rows of a query."""
        return [line.split("\t") for line in self.sql(query, database).splitlines()]

    def create(self, user: str, *databases: str) -> None:
        """Databases for a user whose password is its name."""
        self.sql(f"CREATE USER {user}@localhost IDENTIFIED BY '{user}'")
        for name in databases:
            self.sql(f"CREATE DATABASE {name}; GRANT ALL ON {name}.* TO {user}@localhost")


@contextlib.contextmanager
def running_mariadb(folder: Path) -> Iterator[MariaDb]:
    """A fresh server in ``folder``; what is durable does not matter here. Raises ServerFailedError."""
    have_programs(PROGRAMS)
    server, data = MariaDb(folder / "mariadb.sock"), folder / "mariadb"
    _run(
        "mariadb-install-db", "--no-defaults", f"--datadir={data}",
        "--auth-root-authentication-method=normal", "--skip-test-db", *AS_ROOT,
    )  # fmt: skip
    process = ServerProcess(
        [
            program("mariadbd"), "--no-defaults", f"--datadir={data}", f"--socket={server.socket}",
            "--skip-networking", f"--pid-file={folder / 'mariadb.pid'}", f"--tmpdir={folder}",
            "--character-set-server=utf8mb4", "--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0",
            "--innodb-buffer-pool-size=32M", "--innodb-log-file-size=8M", "--performance-schema=0", *AS_ROOT,
        ],
        log=folder / "mariadb.log",
        env={},
    )  # fmt: skip
    try:
        _wait(server)
        yield server
    finally:
        process.stop()


def _wait(server: MariaDb) -> None:
    until = time.monotonic() + START_S
    while True:
        try:
            server.sql("SELECT 1")
        except ServerFailedError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
        else:
            return


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        raise ServerFailedError(f"{' '.join(command[:2])}: {done.stdout[-500:]} {done.stderr[-2000:]}")
    return done.stdout

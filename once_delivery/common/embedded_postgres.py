"""A PostgreSQL of the project's own: found, and started when it is not running.

Any number of processes may come at once, and any of them may be killed: the server belongs to none of them.
"""

from __future__ import annotations

import contextlib
import fcntl
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import psycopg
from psycopg.conninfo import make_conninfo

from once_delivery.common.operator_error import OperatorError
from once_delivery.common.postgres_place import Place, make_state_dir
from once_delivery.common.postgres_programs import MAJOR, Programs

DATABASE = "once"
ROLE = "once"
ADMIN = "postgres"
START_SECONDS = 60
LOG_BYTES_KEPT = 10_000_000

SETTINGS = """\
# written at every start; put your own settings into local.conf beside this file
listen_addresses = ''
unix_socket_permissions = 0700
unix_socket_directories = '"{socket_dir}"'
max_connections = 200
shared_buffers = 128MB
max_wal_size = 2GB
random_page_cost = 1.1
jit = off
log_checkpoints = off
log_line_prefix = '%m [%p] %a '
{durability}include_if_exists = 'local.conf'
"""
# only for what can be made again: a crash of the machine may ruin the folder
NOT_DURABLE = "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n"


@dataclass(frozen=True, slots=True)
class EmbeddedPostgres:
    """The server whose files live below ``state_dir``; any number of processes may use it at once."""

    state_dir: Path
    durable: bool = True

    @property
    def place(self) -> Place:
        return Place.below(self.state_dir)

    @property
    def _programs(self) -> Programs:
        return Programs(self.place)

    def connection(self, database: str = DATABASE, user: str = ROLE) -> dict[str, str]:
        """The parameters that libpq needs."""
        return {"host": str(self.place.socket_dir), "port": "5432", "dbname": database, "user": user}

    def ensure_running(self) -> None:
        """Afterwards the server answers and the database exists; fast when that was so before."""
        if self.answers(DATABASE, ROLE):
            return
        with self._alone():
            if not self.answers("postgres", ADMIN):
                self._start()
            self._ensure_database()

    def answers(self, database: str = "postgres", user: str = ADMIN) -> bool:
        try:
            psycopg.connect(make_conninfo(**self.connection(database, user)), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self, *, mode: str = "fast") -> bool:
        """The server is down afterwards; False when it was not running."""
        if not (self.place.data / "postmaster.pid").exists():
            return False
        with self._alone():
            self._forget_stale_pid()
            if not (self.place.data / "postmaster.pid").exists():
                return False
            self._programs.run(
                "pg_ctl", "stop", "-D", str(self.place.data), "-m", mode, "-w", "-t", str(START_SECONDS)
            )
        return True

    def destroy(self) -> None:
        """Stop the server and delete everything that it holds."""
        self.stop(mode="immediate")
        self.place.remove()

    @contextlib.contextmanager
    def in_use(self) -> Iterator[None]:
        """The server runs inside the block; the last of its users that leaves stops it.

        The kernel drops a dead process's lock, so that a killed user does not count.
        """
        with (make_state_dir(self.state_dir) / "postgres.users").open("a") as users:
            fcntl.flock(users, fcntl.LOCK_SH)
            self.ensure_running()
            try:
                yield
            finally:
                fcntl.flock(users, fcntl.LOCK_UN)
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    self.stop()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        with (make_state_dir(self.state_dir) / "postgres.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _start(self) -> None:
        self.place.prepare()
        self._programs.ensure()
        self._forget_stale_pid()
        try:
            if not (self.place.data / "PG_VERSION").exists():
                self._initdb()
            self._check_version()
            self._write_settings()
            self._launch()
        except OperatorError:
            if self.durable or not (self.place.data / "PG_VERSION").exists():
                raise
            # a cluster without fsync does not survive a crash of the machine, and need not
            shutil.rmtree(self.place.data)
            self._initdb()
            self._write_settings()
            self._launch()

    def _initdb(self) -> None:
        # made aside and renamed: a process killed in the middle leaves nothing that looks finished
        unfinished = self.place.home / "data.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        self._programs.run(
            "initdb", "-D", str(unfinished), "-U", ADMIN, "--auth=trust", "--encoding=UTF8", "--locale=C",
            "--locale-provider=builtin", "--builtin-locale=C.UTF-8", *(() if self.durable else ("--no-sync",)),
        )  # fmt: skip
        with (unfinished / "postgresql.conf").open("a", encoding="utf-8") as conf:
            conf.write("\ninclude = 'once.conf'\n")
        (unfinished / "once.conf").touch()
        unfinished.rename(self.place.data)

    def _check_version(self) -> None:
        found = (self.place.data / "PG_VERSION").read_text(encoding="utf-8").strip()
        if found != MAJOR:
            raise OperatorError(
                "postgres-version",
                en=f"{self.place.data} was made by PostgreSQL {found}; this program brings {MAJOR}. "
                "Dump it with the old program and load it with this one.",
                zh=f"{self.place.data} 由 PostgreSQL {found} 创建，本程序自带 {MAJOR}。请用旧程序导出、再用本程序导入。",
            )

    def _write_settings(self) -> None:
        socket_dir = str(self.place.socket_dir).replace("'", "''").replace('"', '""')
        text = SETTINGS.format(socket_dir=socket_dir, durability="" if self.durable else NOT_DURABLE)
        conf = self.place.data / "once.conf"
        conf.write_text(text, encoding="utf-8")
        self.place.give(conf)

    def _launch(self) -> None:
        log = self.place.home / "log"
        if log.exists() and log.stat().st_size > LOG_BYTES_KEPT:
            log.replace(log.with_suffix(".1"))
        self._programs.run(
            "pg_ctl", "start", "-D", str(self.place.data), "-l", str(log), "-w", "-t", str(START_SECONDS)
        )

    def _forget_stale_pid(self) -> None:
        """Drop the pid file of a server that is gone when another program has got its number since."""
        pid_file = self.place.data / "postmaster.pid"
        if not pid_file.exists():
            return
        lines = pid_file.read_text(encoding="utf-8").split("\n")
        with contextlib.suppress(psutil.NoSuchProcess, ValueError):
            if psutil.Process(int(lines[0])).name().startswith("postgres"):
                return
        pid_file.unlink(missing_ok=True)

    def _ensure_database(self) -> None:
        info = make_conninfo(**self.connection("postgres", ADMIN))
        with psycopg.connect(info, autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone():
                # not a superuser, so that what the database forbids stays forbidden
                connection.execute(f"CREATE ROLE {ROLE} LOGIN CREATEDB")
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                connection.execute(f"CREATE DATABASE {DATABASE} OWNER {ROLE}")

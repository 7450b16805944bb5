"""A PostgreSQL of the project's own: found, and started when it is not running.

Any number of processes may come at once, and any of them may be killed: the server belongs to none of them.
"""

from __future__ import annotations

import contextlib
import fcntl
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import psycopg
from psycopg.conninfo import make_conninfo

from once_delivery.common.operator_error import OperatorError
from once_delivery.common.postgres_place import SOCKET_NAME, Place, make_state_dir
from once_delivery.common.postgres_programs import MAJOR, Programs

DATABASE = "once"
ROLE = "once"
ADMIN = "postgres"
START_SECONDS = 60
LOG_BYTES_KEPT = 10_000_000
ATTEMPTS_AFTER_CRASH = 5
NO_PROCESS = 2**30  # more than any kernel gives out

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
            if not self.answers():
                self._start_and_wait()
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
            if not _is_server(self.place.data / "postmaster.pid"):
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
        try:
            self._start_cluster()
        except OperatorError:
            if self.durable or not (self.place.data / "PG_VERSION").exists():
                raise
            # a cluster without fsync does not survive a crash of the machine, and need not
            shutil.rmtree(self.place.data)
            self._start_cluster()

    def _start_and_wait(self) -> None:
        """One that is there already may be coming up, or just going down."""
        until = time.monotonic() + START_SECONDS
        while not self.answers():
            if not _is_server(self.place.data / "postmaster.pid"):
                self._start()
            elif time.monotonic() > until:
                raise OperatorError(
                    "postgres-silent",
                    en=f"The embedded PostgreSQL runs but does not answer; see {self.place.home / 'log'}.",
                    zh=f"内置 PostgreSQL 已运行但无应答，请查看 {self.place.home / 'log'}。",
                )
            time.sleep(0.1)

    def _start_cluster(self) -> None:
        if not (self.place.data / "PG_VERSION").exists():
            self._initdb()
        self._check_version()
        self._write_settings()
        # the children of a server that was killed take a moment to notice
        attempts = ATTEMPTS_AFTER_CRASH if self._forget_dead_server() else 1
        for attempt in range(1, attempts + 1):
            try:
                self._launch()
            except OperatorError:
                if attempt == attempts:
                    raise
                time.sleep(1)
            else:
                return

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

    def _forget_dead_server(self) -> bool:
        """Whether a server ended without tidying up; PostgreSQL then sees at once that it is gone.

        It only asks whether a process with that number exists, and a zombie or a program that has got the
        number since would keep it from starting for ever. The files themselves stay: by them PostgreSQL
        finds out whether children of the dead server are still at work on the data.
        """
        pid_file = self.place.data / "postmaster.pid"
        if not pid_file.exists() or _is_server(pid_file):
            return False
        for lock in (pid_file, self.place.socket_dir / f"{SOCKET_NAME}.lock"):
            if lock.exists():
                lines = lock.read_text(encoding="utf-8").split("\n")
                lock.write_text("\n".join([str(NO_PROCESS), *lines[1:]]), encoding="utf-8")
        return True

    def _ensure_database(self) -> None:
        info = make_conninfo(**self.connection("postgres", ADMIN))
        with psycopg.connect(info, autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone():
                # not a superuser, so that what the database forbids stays forbidden
                connection.execute(f"CREATE ROLE {ROLE} LOGIN CREATEDB")
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                connection.execute(f"CREATE DATABASE {DATABASE} OWNER {ROLE}")


def _is_server(pid_file: Path) -> bool:
    with contextlib.suppress(FileNotFoundError, psutil.NoSuchProcess, ValueError):
        process = psutil.Process(int(pid_file.read_text(encoding="utf-8").split("\n")[0]))
        return process.name().startswith("postgres") and process.status() != psutil.STATUS_ZOMBIE
    return False

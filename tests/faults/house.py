"""What all cases of one run share: a PostgreSQL, a migrated template, a sandbox, a nursery."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Self

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from psycopg import sql
from psycopg.conninfo import make_conninfo

from once_delivery.common.embedded_postgres import EmbeddedPostgres
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.sandbox.process import SandboxProcess
from tests.builders import a_project
from tests.dropping import drop_database
from tests.faults.processes import Nursery

# what a shipped installation does not set, the workers do not get either
_NOT_HANDED_DOWN = ("ONCE_STATE_DIR", "ONCE_POSTGRES_DURABLE", "DJANGO_SETTINGS_MODULE")


class House:
    """Everything is gone after the block, whatever happened in it."""

    def __init__(self, server: EmbeddedPostgres | None = None) -> None:
        self.server: EmbeddedPostgres = server or settings.DATABASES["default"]["EMBEDDED"]
        self.sandbox: SandboxProcess
        self.nursery: Nursery
        self.folder: Path
        self._stack = ExitStack()
        self._numbers = itertools.count(1)
        self._copying = threading.Lock()
        session = os.environ["ONCE_TEST_SESSION"]
        # test_once_<process>_: what a killed run leaves is dropped by the next
        self._template = f"test_once_{session}_faults{os.getpid()}"

    @property
    def admin(self) -> SandboxAdmin:
        return self.sandbox.admin

    def __enter__(self) -> Self:
        stack = self._stack
        try:
            self.folder = Path(tempfile.mkdtemp(prefix="once-faults-"))
            stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
            stack.enter_context(self.server.in_use())
            self.sandbox = stack.enter_context(SandboxProcess(self.folder / "sandbox"))
            self._make_template()
            stack.callback(self.drop_database, self._template)
            self.nursery = stack.enter_context(Nursery(self.environment(), self.folder / "workers"))
        except BaseException:
            stack.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def environment(self, **extra: str) -> dict[str, str]:
        """Of a process of the house on the template; the nursery gives each worker its own database."""
        kept = {name: value for name, value in os.environ.items() if name not in _NOT_HANDED_DOWN}
        return kept | {
            "DJANGO_SETTINGS_MODULE": "once_delivery.config.settings",
            "DATABASE_URL": self.conninfo(self._template),
            "ONCE_LOG_LEVEL": "WARNING",
            **extra,
        }

    @contextmanager
    def on_database(self, name: str) -> Iterator[None]:
        """In this thread the ORM works on the database ``name``."""
        connection.close()
        before = connection.settings_dict
        host = self.server.connection(name)["host"]
        connection.settings_dict = {**before, "NAME": name, "HOST": host}
        try:
            yield
        finally:
            connection.close()
            connection.settings_dict = before

    def conninfo(self, database: str) -> str:
        return make_conninfo(**self.server.connection(database))

    def new_database(self) -> str:
        """A copy of the template: migrated, with a project and its people."""
        name = f"{self._template}_{next(self._numbers)}"
        with self._copying:  # PostgreSQL copies a template that nobody uses
            self._run(
                sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy").format(
                    sql.Identifier(name), sql.Identifier(self._template)
                )
            )
        return name

    def empty_database(self, name: str) -> None:
        """One without a table, for a dump to be restored into."""
        self._run(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))

    def drop_database(self, name: str) -> None:
        with psycopg.connect(self.conninfo("once"), autocommit=True) as admin:
            drop_database(admin, name)

    def allow_connections(self, name: str, *, allowed: bool) -> None:
        """Close the door of a database, or open it again."""
        word = sql.SQL("true" if allowed else "false")
        self._run(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}").format(sql.Identifier(name), word))

    def limit_connections(self, name: str, *, most: int) -> None:
        """So many may be open to the database (-1: any number)."""
        self._run(
            sql.SQL("ALTER DATABASE {} CONNECTION LIMIT {}").format(sql.Identifier(name), sql.Literal(most))
        )

    def end_connections(self, name: str, *, but: int) -> int:
        """The server ends every connection to the database, except the process ``but``; how many."""
        with psycopg.connect(self.conninfo("once"), autocommit=True) as admin:
            rows = admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = %s AND pid <> %s AND backend_type = 'client backend'",  # no vacuum may be ended
                [name, but],
            ).fetchall()
        return len(rows)

    def new_folder(self, name: str) -> Path:
        folder = self.folder / f"{next(self._numbers)}-{name}"
        folder.mkdir()
        return folder

    def _run(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.conninfo("once"), autocommit=True) as admin:
            admin.execute(statement)

    def _make_template(self) -> None:
        self.drop_database(self._template)
        self._run(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(self._template)))
        with self.on_database(self._template):
            call_command("migrate", verbosity=0)
            a_project("demo")

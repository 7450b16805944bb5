"""The Wagtail site of ``contrib``, on gunicorn with several workers and on PostgreSQL, as in production."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg.conninfo import make_conninfo

from once_delivery.common.embedded_postgres import EmbeddedPostgres
from once_delivery.config.house.wagtail_site import (
    REQUIREMENTS,
    SiteAccounts,
    SiteFailedError,
    WagtailSite,
)
from tests.real.systems import ServerFailedError
from tests.real.systems.environment import virtual_environment
from tests.real.systems.own_database import own_database
from tests.real.systems.process import ServerProcess, listening_socket

WORKERS = 4
ADMIN_PASSWORD = "-begins-like-an-option"


@dataclass(frozen=True, slots=True)
class WagtailServer:
    """A running site; ``tokens`` by account (see the site's README)."""

    base_url: str
    section: int
    tokens: dict[str, str]
    process: ServerProcess
    database: str  # for libpq

    def ask(self, account: str, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """One request to the API as a person with this account would make it."""
        connection = http.client.HTTPConnection(urlsplit(self.base_url).netloc, timeout=30)
        headers = {"Authorization": f"Bearer {self.tokens[account]}", "Content-Type": "application/json"}
        try:
            connection.request(
                method, f"/api/v3{path}", json.dumps(body) if body is not None else None, headers
            )
            response = connection.getresponse()
            data = response.read()
        finally:
            connection.close()
        return response.status, json.loads(data) if data else None

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the site's own database holds."""
        with psycopg.connect(self.database, autocommit=True) as connection:
            return connection.execute(query, values).fetchall()


@contextlib.contextmanager
def running_wagtail(folder: Path, postgres: EmbeddedPostgres) -> Iterator[WagtailServer]:
    """A fresh site. Raises ServerFailedError."""
    programs = virtual_environment("wagtail", REQUIREMENTS)
    # named so that a later session drops it when this one is killed (tests/conftest.py)
    name = f"test_once_{os.getpid()}_wagtail"
    with own_database(postgres, name), listening_socket() as listener:
        base_url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        site = WagtailSite(programs, folder, base_url, postgres.connection(name))
        made = _set_up(site)
        process = ServerProcess(
            site.command(f"fd://{listener.fileno()}", workers=WORKERS),
            log=folder / "gunicorn.log",
            env=site.environment(),
            pass_fds=[listener.fileno()],
        )
        try:
            process.wait_until_ready(f"{base_url}/api/v3/whoami/")
            yield WagtailServer(
                base_url=base_url,
                section=made.section,
                tokens=dict(made.tokens),
                process=process,
                database=make_conninfo(**postgres.connection(name)),
            )
        finally:
            process.stop()


def _set_up(site: WagtailSite) -> SiteAccounts:
    try:
        return site.set_up(ADMIN_PASSWORD)
    except SiteFailedError as error:
        raise ServerFailedError(str(error)) from None

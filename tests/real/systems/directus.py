"""Directus on PostgreSQL, with its cache switched on and never cleared: the worst that a look-up can meet."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg.conninfo import make_conninfo

from once_delivery.common.embedded_postgres import EmbeddedPostgres
from tests.real.systems import ServerFailedError
from tests.real.systems.node import installed, node_environment
from tests.real.systems.own_database import own_database
from tests.real.systems.process import ServerProcess, free_port

FILES = Path(__file__).with_name("directus_files")
FILES_OF_12 = Path(__file__).with_name("directus_12_files")
ADMIN_TOKEN = "admin-static-token-of-the-tests-0001"
SET_UP_S = 300
CACHED = {"CACHE_ENABLED": "true", "CACHE_STORE": "memory", "CACHE_TTL": "1h", "CACHE_AUTO_PURGE": "false"}


@dataclass(frozen=True, slots=True)
class DirectusServer:
    """A running server; ``tokens`` by account (directus_set_up.py)."""

    base_url: str
    tokens: dict[str, str]
    process: ServerProcess
    database: str  # for libpq

    def ask(self, account: str, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """One request to the API as a person with this account would make it."""
        return ask(self.base_url, self.tokens[account], method, path, body)

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """What its own database holds."""
        with psycopg.connect(self.database, autocommit=True) as connection:
            return connection.execute(query, values).fetchall()


@contextlib.contextmanager
def running_directus(
    folder: Path,
    postgres: EmbeddedPostgres,
    *,
    settings: Mapping[str, str] = CACHED,
    name: str = "directus",
    files: Path = FILES,
) -> Iterator[DirectusServer]:
    """A fresh one, with no collection of its own; ``files`` say of which version. Raises ServerFailedError."""
    tree = installed(files.name.removesuffix("_files"), files, finish=_without_isolated_vm)
    # named so that a later session drops it when this one is killed (tests/conftest.py)
    database = f"test_once_{os.getpid()}_{name}"
    with own_database(postgres, database):
        base_url = f"http://127.0.0.1:{free_port()}"
        env = {**_environment(folder, postgres, database, base_url), **settings}
        # Directus looks for its extensions and its settings where it is started
        command = ["env", f"--chdir={folder}", "node", str(tree / "node_modules" / "directus" / "cli.js")]
        _run([*command, "bootstrap"], env)
        process = ServerProcess([*command, "start"], log=folder / "directus.log", env=env)
        try:
            process.wait_until_ready(f"{base_url}/server/ping", seconds=SET_UP_S)
            yield DirectusServer(
                base_url, {"admin": ADMIN_TOKEN}, process, make_conninfo(**postgres.connection(database))
            )
        finally:
            process.stop()


def ask(base_url: str, token: str, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    """One request to the API."""
    connection = http.client.HTTPConnection(urlsplit(base_url).netloc, timeout=60)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    try:
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        response = connection.getresponse()
        data = response.read()
    finally:
        connection.close()
    return response.status, json.loads(data) if data else None


def _without_isolated_vm(place: Path) -> None:
    """It takes minutes to compile and serves the "run script" step of flows alone."""
    (place / "node_modules" / "isolated-vm" / "isolated-vm.js").write_text("module.exports = {};\n")


def _environment(folder: Path, postgres: EmbeddedPostgres, name: str, base_url: str) -> dict[str, str]:
    for part in ("uploads", "extensions"):
        (folder / part).mkdir(parents=True)
    place = postgres.connection(name)
    return {
        **node_environment(),
        "NODE_ENV": "production",
        "HOST": "127.0.0.1",
        "PORT": str(urlsplit(base_url).port),
        "PUBLIC_URL": base_url,
        "SECRET": "0123456789abcdef0123456789abcdef0123",
        "ADMIN_EMAIL": "admin@example.com",
        "ADMIN_PASSWORD": "a-long-Pass-phrase-77",
        "ADMIN_TOKEN": ADMIN_TOKEN,
        "DB_CLIENT": "pg",
        "DB_HOST": place["host"],
        "DB_PORT": place["port"],
        "DB_DATABASE": name,
        "DB_USER": place["user"],
        "DB_PASSWORD": "none",
        "STORAGE_LOCATIONS": "local",
        "STORAGE_LOCAL_ROOT": str(folder / "uploads"),
        "EXTENSIONS_PATH": str(folder / "extensions"),
        "SERVE_APP": "false",
        "WEBSOCKETS_ENABLED": "false",
        "LOG_LEVEL": "warn",
        "LOG_STYLE": "raw",
        "ACCEPT_TERMS": "true",
        "TELEMETRY": "false",
        # a busy machine would be answered 503 at random
        "PRESSURE_LIMITER_ENABLED": "false",
    }


def _run(command: list[str], env: Mapping[str, str]) -> None:
    done = subprocess.run(
        command,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=SET_UP_S,
        check=False,
    )
    if done.returncode != 0:
        raise ServerFailedError(f"directus bootstrap: {done.stdout[-2000:]} {done.stderr[-2000:]}")

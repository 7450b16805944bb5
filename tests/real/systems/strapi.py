"""Strapi 5 on PostgreSQL: with the plugin of ``contrib``, as it comes with a policy of the site, and as it comes."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg.conninfo import make_conninfo
from urllib3.filepost import encode_multipart_formdata

from once_delivery.common.embedded_postgres import EmbeddedPostgres
from tests.real.systems import ROOT, ServerFailedError
from tests.real.systems.node import installed, node_environment
from tests.real.systems.own_database import own_database
from tests.real.systems.process import ServerProcess, free_port
from tests.real.systems.strapi_types import write_types

FILES = Path(__file__).parent / "strapi_files"
PLUGIN = ROOT / "contrib" / "strapi-once"
START_S = 180
LOGGED_IN_S = 600
EDITOR = {"email": "editor@example.com", "password": "For-tests-0nly"}


@dataclass(slots=True)
class Editor:
    """A person at the panel. Their log-in holds for half an hour, which is less than a run of all tests may take."""

    base_url: str
    _token: str = ""
    _since: float = 0.0

    @property
    def token(self) -> str:
        """Logged in anew now and then, and no oftener: Strapi counts log-ins."""
        if not self._token or time.time() - self._since > LOGGED_IN_S:
            _, said = _ask(f"{self.base_url}/admin/login", "POST", EDITOR)
            self._token, self._since = said["data"]["token"], time.time()
        return self._token


@dataclass(frozen=True, slots=True)
class StrapiServer:
    """A running site; ``tokens`` by account (``app/src/index.js``), ``editor`` is a person."""

    base_url: str
    tokens: dict[str, str]
    editor: Editor
    process: ServerProcess
    database: str  # for libpq

    def ask(self, account: str, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """One request: below ``/api`` with a token, anywhere else as the editor at the panel's API."""
        token = self.editor.token if account == "editor" else self.tokens[account]
        return _ask(self.base_url + path, method, body, token)

    def rename_file(self, result_id: str, name: str) -> None:
        """An editor gives a file of the media library another name."""
        form, content_type = encode_multipart_formdata({"fileInfo": json.dumps({"name": name})})
        status, answer = _ask(
            f"{self.base_url}/upload?id={result_id}", "POST", form, self.editor.token, content_type
        )
        if status != http.HTTPStatus.OK:
            raise ServerFailedError(f"{status} {answer}")

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the site's own database holds."""
        with psycopg.connect(self.database, autocommit=True) as connection:
            found = connection.execute(query, values)
            return found.fetchall() if found.description else []


@dataclass(frozen=True, slots=True)
class StrapiSite:
    """A site with its files and its database, that can be started more than once."""

    folder: Path
    env: dict[str, str]
    database: str

    @contextlib.contextmanager
    def started(self) -> Iterator[StrapiServer]:
        """Raises ServerFailedError."""
        base_url = f"http://127.0.0.1:{self.env['PORT']}"
        log = self.folder / "strapi.log"
        process = ServerProcess(["node", str(self.folder / "app" / "start.js")], log=log, env=self.env)
        try:
            process.wait_until_ready(f"{base_url}/_health", seconds=START_S)
            yield StrapiServer(
                base_url=base_url,
                tokens=json.loads((self.folder / "tokens.json").read_text()),
                editor=Editor(base_url),
                process=process,
                database=self.database,
            )
        finally:
            process.stop()


@contextlib.contextmanager
def strapi_site(folder: Path, postgres: EmbeddedPostgres, name: str) -> Iterator[StrapiSite]:
    """A fresh site that nobody has started yet. Raises ServerFailedError."""
    packages = installed("strapi", FILES / "package")
    _lay_out(folder / "app", packages)
    # named so that a later session drops it when this one is killed (tests/conftest.py)
    database = f"test_once_{os.getpid()}_{name}"
    with own_database(postgres, database):
        env = _environment(folder, postgres, database)
        yield StrapiSite(folder, env, make_conninfo(**postgres.connection(database)))


@contextlib.contextmanager
def running_strapi(folder: Path, postgres: EmbeddedPostgres) -> Iterator[StrapiServer]:
    """A fresh site. Raises ServerFailedError."""
    with strapi_site(folder, postgres, "strapi") as site, site.started() as server:
        yield server


def _lay_out(app: Path, packages: Path) -> None:
    shutil.copytree(FILES / "app", app)
    shutil.copytree(PLUGIN, app / "src" / "plugins" / "once")
    shutil.copy(packages / "package.json", app)
    (app / "node_modules").symlink_to(packages / "node_modules")
    (app / "public" / "uploads").mkdir(parents=True)
    write_types(app / "src" / "api")


def _environment(folder: Path, postgres: EmbeddedPostgres, database: str) -> dict[str, str]:
    place = postgres.connection(database)
    return {
        **node_environment(),
        "NODE_ENV": "production",
        "PORT": str(free_port()),
        "PGHOST": place["host"],
        "PGPORT": place["port"],
        "PGUSER": place["user"],
        "PGDATABASE": database,
        "TOKENS": str(folder / "tokens.json"),
        "STRAPI_TELEMETRY_DISABLED": "true",
        "STRAPI_DISABLE_UPDATE_NOTIFICATION": "true",
    }


def _ask(
    url: str, method: str, body: Any, token: str = "", content_type: str = "application/json"
) -> tuple[int, Any]:
    parts = urlsplit(url)
    path = f"{parts.path}?{parts.query}"
    connection = http.client.HTTPConnection(parts.netloc, timeout=30)
    headers = {"Content-Type": content_type, **({"Authorization": f"Bearer {token}"} if token else {})}
    try:
        connection.request(
            method, path, body if isinstance(body, bytes | None) else json.dumps(body), headers
        )
        response = connection.getresponse()
        data = response.read()
    finally:
        connection.close()
    return response.status, json.loads(data) if data else None

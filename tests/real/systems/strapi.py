"""Strapi 5 on PostgreSQL: with the plugin of ``contrib``, as it comes with a policy of the site, and as it comes."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
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
EDITOR = {"email": "editor@example.com", "password": "For-tests-0nly"}


@dataclass(frozen=True, slots=True)
class StrapiServer:
    """A running site; ``tokens`` by account (``app/src/index.js``), ``editor`` is a person's."""

    base_url: str
    tokens: dict[str, str]
    editor: str
    process: ServerProcess
    database: str  # for libpq
    log: Path

    def ask(self, account: str, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """One request: below ``/api`` with a token, anywhere else as the editor at the panel's API."""
        token = self.editor if account == "editor" else self.tokens[account]
        return _ask(self.base_url + path, method, body, token)

    def rename_file(self, result_id: str, name: str) -> None:
        """An editor gives a file of the media library another name."""
        form, content_type = encode_multipart_formdata({"fileInfo": json.dumps({"name": name})})
        status, answer = _ask(
            f"{self.base_url}/upload?id={result_id}", "POST", form, self.editor, content_type
        )
        if status != http.HTTPStatus.OK:
            raise ServerFailedError(f"{status} {answer}")

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the site's own database holds."""
        with psycopg.connect(self.database, autocommit=True) as connection:
            found = connection.execute(query, values)
            return found.fetchall() if found.description else []


@contextlib.contextmanager
def running_strapi(folder: Path, postgres: EmbeddedPostgres) -> Iterator[StrapiServer]:
    """A fresh site. Raises ServerFailedError."""
    packages = installed("strapi", FILES / "package")
    app = _site(folder, packages)
    # named so that a later session drops it when this one is killed (tests/conftest.py)
    name = f"test_once_{os.getpid()}_strapi"
    base_url = f"http://127.0.0.1:{free_port()}"
    with own_database(postgres, name):
        process = ServerProcess(
            ["node", str(app / "start.js")],
            log=folder / "strapi.log",
            env=_environment(folder, postgres, name, base_url),
        )
        try:
            process.wait_until_ready(f"{base_url}/_health", seconds=START_S)
            _, said = _ask(f"{base_url}/admin/login", "POST", EDITOR)
            yield StrapiServer(
                base_url=base_url,
                tokens=json.loads((folder / "tokens.json").read_text()),
                editor=said["data"]["token"],
                process=process,
                database=make_conninfo(**postgres.connection(name)),
                log=folder / "strapi.log",
            )
        finally:
            process.stop()


def _site(folder: Path, packages: Path) -> Path:
    app = folder / "app"
    shutil.copytree(FILES / "app", app)
    shutil.copytree(PLUGIN, app / "src" / "plugins" / "once")
    shutil.copy(packages / "package.json", app)
    (app / "node_modules").symlink_to(packages / "node_modules")
    (app / "public" / "uploads").mkdir(parents=True)
    write_types(app / "src" / "api")
    return app


def _environment(folder: Path, postgres: EmbeddedPostgres, name: str, base_url: str) -> dict[str, str]:
    place = postgres.connection(name)
    return {
        **node_environment(),
        "NODE_ENV": "production",
        "PORT": str(urlsplit(base_url).port),
        "PGHOST": place["host"],
        "PGPORT": place["port"],
        "PGUSER": place["user"],
        "PGDATABASE": name,
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

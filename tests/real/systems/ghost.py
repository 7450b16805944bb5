"""Ghost on MariaDB: SQLite would let writers wait for each other, and so hide races."""

from __future__ import annotations

import contextlib
import http.client
import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.real.systems import ServerFailedError
from tests.real.systems.ghost_installation import ghost_tree
from tests.real.systems.mariadb import MariaDb, running_mariadb
from tests.real.systems.node import node, node_environment
from tests.real.systems.process import ServerProcess, free_port

START_S = 180  # the first start makes the tables
PASSWORD = "a-long-Pass-phrase-77"
DATABASE = "ghost"
# account → role; each has a staff token. "away" is suspended after it was made
ACCOUNTS = {
    "delivery": "Contributor",
    "other": "Contributor",
    "away": "Contributor",
    "author": "Author",
    "editor": "Editor",
}


_SIGN = """
const [kid, secret] = process.argv[1].split(':');
const options = {keyid: kid, algorithm: 'HS256', expiresIn: '5m', audience: '/admin/'};
console.log(require('jsonwebtoken').sign({}, Buffer.from(secret, 'hex'), options));
"""


@dataclass(frozen=True, slots=True)
class GhostServer:
    """A running site. ``keys``: staff tokens by account, and that of an ``integration``, as ``id:secret``."""

    base_url: str
    keys: dict[str, str]
    process: ServerProcess
    mariadb: MariaDb
    cookie: str
    folder: Path

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """One request to the Admin API, as the owner of the site makes it in a browser."""
        return _ask(self.base_url, method, path, body, {"Cookie": self.cookie})

    def ask_as(self, account: str, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """The same with somebody's staff token, as any program makes it."""
        return _ask(self.base_url, method, path, body, {"Authorization": f"Ghost {self.token(account)}"})

    def token(self, account: str) -> str:
        """Of somebody's key, good for five minutes."""
        return _token(self.keys[account])

    def page(self, path: str) -> tuple[int, str]:
        """What a reader gets."""
        connection = http.client.HTTPConnection(urlsplit(self.base_url).netloc, timeout=30)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, response.read().decode(errors="replace")
        finally:
            connection.close()

    @property
    def major(self) -> int:
        """Of which version it is: 6, say."""
        found: str = self.ask("GET", "/site/")[1]["site"]["version"]
        return int(found.partition(".")[0])

    @contextlib.contextmanager
    def under_another_address(self, url: str) -> Iterator[str]:
        """The same site, that takes itself for ``url``; where it can be reached all the same."""
        reached = f"http://127.0.0.1:{free_port()}"
        env = {**_environment(self.folder, self.mariadb, reached), "url": url}
        process = _started(self.folder, env)
        try:
            process.wait_until_ready(f"{reached}/ghost/api/admin/site/", seconds=START_S)
            yield reached
        finally:
            process.stop()

    def rows(self, query: str) -> list[list[str]]:
        """What the site's own database holds."""
        return self.mariadb.rows(query, DATABASE)


@contextlib.contextmanager
def running_ghost(folder: Path) -> Iterator[GhostServer]:
    """A fresh site with its accounts. Raises ServerFailedError."""
    tree = ghost_tree()
    content = folder / "content"
    shutil.copytree(tree / "content", content)
    for name in ("data", "images", "logs", "files", "media", "settings", "public", "adapters"):
        (content / name).mkdir(exist_ok=True)
    with running_mariadb(folder) as mariadb:
        mariadb.create(DATABASE, DATABASE)
        base_url = f"http://127.0.0.1:{free_port()}"
        process = _started(folder, _environment(folder, mariadb, base_url))
        try:
            process.wait_until_ready(f"{base_url}/ghost/api/admin/site/", seconds=START_S)
            cookie = _set_up(base_url)
            keys = _accounts(base_url, cookie, mariadb)
            yield GhostServer(base_url, keys, process, mariadb, cookie, folder)
        finally:
            process.stop()


def _started(folder: Path, env: Mapping[str, str]) -> ServerProcess:
    # Ghost looks for its settings where it is started
    command = ["env", f"--chdir={ghost_tree()}", str(node() / "node"), "index.js"]
    return ServerProcess(command, log=folder / "ghost.log", env=env)


def _environment(folder: Path, mariadb: MariaDb, base_url: str) -> dict[str, str]:
    parts = urlsplit(base_url)
    return {
        **node_environment(),
        "NODE_ENV": "production",
        "TMPDIR": str(folder),  # it leaves uploads behind
        "TZ": "UTC",  # in another one, Ghost writes times that it reads back as others
        "url": base_url,
        "server__host": str(parts.hostname),
        "server__port": str(parts.port),
        "paths__contentPath": str(folder / "content"),
        "database__client": "mysql",
        "database__connection__socketPath": str(mariadb.socket),
        "database__connection__user": DATABASE,
        "database__connection__password": DATABASE,
        "database__connection__database": DATABASE,
        # nothing goes out
        "mail__transport": "stub",
        "mail__from": "noreply@example.com",
        "privacy__useUpdateCheck": "false",
        "privacy__useGravatar": "false",
        "privacy__useRpcPing": "false",
        "security__staffDeviceVerification": "false",
        "logging__transports": '["stdout"]',
        "logging__level": "warn",
    }


def _set_up(base_url: str) -> str:
    """The owner's account, and the cookie of its session."""
    owner = {"name": "Owner", "email": "owner@example.com", "password": PASSWORD, "blogTitle": "Shop"}
    _expect(_ask(base_url, "POST", "/authentication/setup/", {"setup": [owner]}), 201)
    return _session(base_url, owner["email"])


def _session(base_url: str, email: str) -> str:
    connection = http.client.HTTPConnection(urlsplit(base_url).netloc, timeout=30)
    try:
        connection.request(
            "POST",
            "/ghost/api/admin/session/",
            json.dumps({"username": email, "password": PASSWORD}),
            {"Content-Type": "application/json", "Origin": base_url},
        )
        response = connection.getresponse()
        said, cookie = response.read(), response.headers.get("Set-Cookie", "")
    finally:
        connection.close()
    if response.status != http.HTTPStatus.CREATED or not cookie:
        raise ServerFailedError(f"no session: {response.status} {said[:500]!r}")
    return cookie.partition(";")[0]


def _accounts(base_url: str, cookie: str, mariadb: MariaDb) -> dict[str, str]:
    as_owner = {"Cookie": cookie}
    roles = _expect(_ask(base_url, "GET", "/roles/", None, as_owner), 200)["roles"]
    ids = {role["name"]: role["id"] for role in roles}
    keys = {}
    for name, role in ACCOUNTS.items():
        invite = {"email": f"{name}@example.com", "role_id": ids[role]}
        _expect(_ask(base_url, "POST", "/invites/", {"invites": [invite]}, as_owner), 201)
        keys[name] = _accepted(base_url, name, mariadb)
    mariadb.sql("UPDATE users SET status = 'inactive' WHERE email = 'away@example.com'", DATABASE)
    made = {"integrations": [{"name": "integration"}]}
    found = _expect(_ask(base_url, "POST", "/integrations/?include=api_keys", made, as_owner), 201)
    (keys["integration"],) = (
        key["secret"] for key in found["integrations"][0]["api_keys"] if key["type"] == "admin"
    )
    return keys


def _accepted(base_url: str, name: str, mariadb: MariaDb) -> str:
    """The invited person makes the account and a staff token."""
    email = f"{name}@example.com"
    ((token,),) = mariadb.rows(f"SELECT token FROM invites WHERE email = '{email}'", DATABASE)  # noqa: S608 -- ours
    accepted = {
        "name": name,
        "email": email,
        "password": PASSWORD,
        "token": token.replace("+", "-").replace("/", "_").rstrip("="),
    }
    _expect(_ask(base_url, "POST", "/authentication/invitation/", {"invitation": [accepted]}), 200)
    as_person = {"Cookie": _session(base_url, email)}
    key = _expect(_ask(base_url, "GET", "/users/me/token/", None, as_person), 200)["apiKey"]
    return f"{key['id']}:{key['secret']}"


def _token(key: str) -> str:
    """A JSON Web Token, made by other hands than the connector's."""
    made = subprocess.run(
        [str(node() / "node"), "-e", _SIGN, key],
        cwd=ghost_tree(),
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    return made.stdout.strip()


def _ask(
    base_url: str, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
) -> tuple[int, Any]:
    connection = http.client.HTTPConnection(urlsplit(base_url).netloc, timeout=30)
    try:
        connection.request(
            method,
            f"/ghost/api/admin{path}",
            json.dumps(body) if body is not None else None,
            {"Content-Type": "application/json", "Origin": base_url, **(headers or {})},
        )
        response = connection.getresponse()
        data = response.read()
    finally:
        connection.close()
    return response.status, json.loads(data) if data else None


def _expect(answer: tuple[int, Any], status: int) -> Any:
    if answer[0] != status:
        raise ServerFailedError(f"{answer[0]}: {str(answer[1])[:1000]}")
    return answer[1]

"""Two WordPress sites on php-fpm, nginx and MariaDB: one as it comes, one with the plugin of ``contrib``.

PHP's built-in server would hide races: it lets requests wait for each other at random.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import json
import os
import shutil
import socket as sockets
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.real.systems import ROOT, ServerFailedError
from tests.real.systems.debian import program
from tests.real.systems.mariadb import AS_ROOT, MariaDb, running_mariadb
from tests.real.systems.process import ServerProcess
from tests.real.systems.wordpress_configuration import (
    fpm_configuration,
    nginx_configuration,
    site_environment,
)
from tests.real.systems.wordpress_packages import FILES, wordpress_tree

PLUGIN = ROOT / "contrib" / "wordpress-plugin" / "once-marker"
START_S = 60


@dataclass(frozen=True, slots=True)
class WordPressSite:
    """A running site; ``passwords`` are application passwords, by account (install.php)."""

    base_url: str
    version: str
    passwords: dict[str, str]
    database: str
    mariadb: MariaDb
    content: Path
    web: ServerProcess

    def ask(self, account: str, method: str, path: str, body: Any = None) -> tuple[int, Any, dict[str, str]]:
        """One request to the API as a person with this account would make it; headers in lower case."""
        connection = http.client.HTTPConnection(urlsplit(self.base_url).netloc, timeout=30)
        pair = base64.b64encode(f"{account}:{self.passwords[account]}".encode()).decode()
        headers = {"Authorization": f"Basic {pair}", "Content-Type": "application/json"}
        try:
            sent = json.dumps(body) if body is not None else None
            connection.request(method, f"/wp-json{path}", sent, headers)
            response = connection.getresponse()
            said = {name.lower(): value for name, value in response.getheaders()}
            return response.status, json.loads(response.read()), said
        finally:
            connection.close()

    def rows(self, query: str) -> list[list[str]]:
        """What the site's own database holds."""
        return self.mariadb.rows(query, self.database)

    def fault(self, point: str, what: str) -> None:
        """The next insert does ``what`` at ``point`` (faults.php)."""
        asked = self.content / "faults" / point
        asked.with_suffix(".new").write_text(what)
        asked.with_suffix(".new").rename(asked)

    def faults_left(self) -> list[str]:
        """Those that no request has taken."""
        return [one.name for one in (self.content / "faults").iterdir()]


@dataclass(frozen=True, slots=True)
class WordPressServer:
    """``plain``: as it comes. ``plugged``: with our plugin."""

    plain: WordPressSite
    plugged: WordPressSite


@contextlib.contextmanager
def running_wordpress(folder: Path, *, suite: str = "") -> Iterator[WordPressServer]:
    """Fresh sites; ``suite``: WordPress of that Debian. Raises ServerFailedError."""
    tree = wordpress_tree(suite)
    ports = {"plain": _free_port(), "plugged": _free_port()}
    with contextlib.ExitStack() as running:
        mariadb = running.enter_context(running_mariadb(folder))
        mariadb.create("wordpress", *ports)
        made = {}
        for name, port in ports.items():
            env = site_environment(folder, tree, mariadb.socket, name, port)
            made[name] = _install(folder, env, name, plugin=PLUGIN if name == "plugged" else None)
        (folder / "fpm.conf").write_text(fpm_configuration(folder, tree, mariadb.socket, ports))
        (folder / "nginx.conf").write_text(nginx_configuration(folder, tree, ports))
        as_root = ["-R"] if AS_ROOT else []
        _start(
            [program("php-fpm"), "--nodaemonize", "-y", str(folder / "fpm.conf"), *as_root],
            folder, "fpm", running,
        )  # fmt: skip
        web = _start(
            [program("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "nginx.err")],
            folder, "nginx", running,
        )  # fmt: skip
        sites = {}
        for name, port in ports.items():
            base_url = f"http://127.0.0.1:{port}"
            web.wait_until_ready(f"{base_url}/wp-json/", seconds=START_S)
            sites[name] = WordPressSite(
                base_url=base_url,
                version=made[name]["version"],
                passwords=made[name]["passwords"],
                database=name,
                mariadb=mariadb,
                content=folder / name,
                web=web,
            )
        yield WordPressServer(**sites)


def _install(folder: Path, env: dict[str, str], name: str, plugin: Path | None) -> dict[str, Any]:
    content = folder / name
    for part in ("mu-plugins", "plugins", "themes", "uploads", "faults"):
        (content / part).mkdir(parents=True)
    shutil.copy(FILES / "faults.php", content / "mu-plugins")
    shutil.copy(FILES / "fields.php", content / "mu-plugins")
    arguments = []
    if plugin is not None:
        shutil.copytree(plugin, content / "plugins" / plugin.name)
        arguments = [f"{plugin.name}/{plugin.name}.php"]
    said = _run(program("php"), str(FILES / "install.php"), *arguments, env=env)
    made: dict[str, Any] = json.loads(said)
    return made


def _start(command: list[str], folder: Path, name: str, running: contextlib.ExitStack) -> ServerProcess:
    process = ServerProcess(command, log=folder / f"{name}.log", env={})
    running.callback(process.stop)
    return process


def _run(*command: str, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        command, env={**os.environ, **(env or {})}, capture_output=True, text=True, timeout=300, check=False
    )
    if done.returncode != 0:
        raise ServerFailedError(f"{' '.join(command[:2])}: {done.stdout[-500:]} {done.stderr[-2000:]}")
    return done.stdout


def _free_port() -> int:
    with sockets.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    return port

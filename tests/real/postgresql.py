"""Debian's own PostgreSQL: older than the embedded one, and reached by an address."""

from __future__ import annotations

import contextlib
import os
import pwd
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from once_delivery.config.house.ports import free_port

INSTALLED = Path("/usr/lib/postgresql")
SERVER_USER = "nobody"  # PostgreSQL refuses to run as root


def versions() -> list[str]:
    return sorted(folder.name for folder in INSTALLED.glob("*") if (folder / "bin" / "postgres").exists())


@contextlib.contextmanager
def postgresql(version: str) -> Iterator[str]:
    """A server of ``version``; gives the address of an empty database whose owner is no superuser."""
    # not below pytest's folders, which are closed to the server's user again and again
    with tempfile.TemporaryDirectory(prefix="once-postgresql-") as folder:
        if os.geteuid() == 0:
            os.chown(folder, pwd.getpwnam(SERVER_USER).pw_uid, -1)
        with _running(version, Path(folder)) as address:
            yield address


@contextlib.contextmanager
def _running(version: str, folder: Path) -> Iterator[str]:
    data, port = folder / "data", free_port(28100)

    def run(name: str, *arguments: str) -> None:
        user = SERVER_USER if os.geteuid() == 0 else None
        with (folder / "output").open("ab") as output:
            command = [str(INSTALLED / version / "bin" / name), *arguments]
            subprocess.run(command, check=True, stdout=output, stderr=output, user=user, cwd="/")

    run("initdb", "-D", str(data), "-U", "postgres", "--auth=trust", "--no-sync")
    settings = f"-c port={port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"
    run("pg_ctl", "start", "-w", "-D", str(data), "-o", settings, "-l", str(data / "log"))
    try:
        server = ["-h", "127.0.0.1", "-p", str(port), "-U", "postgres"]
        run("createuser", *server, "once")
        run("createdb", *server, "-O", "once", "-E", "UTF8", "-T", "template0", "once")
        yield f"postgresql://once:pass%20word@127.0.0.1:{port}/once?sslmode=prefer"
    finally:
        run("pg_ctl", "stop", "-D", str(data), "-m", "immediate")

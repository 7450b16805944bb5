"""RabbitMQ and Redis of the tests' own: on free ports of this machine, in a folder that is thrown away."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

from once_delivery.config.house.ports import free_port
from tests.workers import wait_for

RABBITMQ = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
EPMD = "/usr/bin/epmd"
START_SECONDS = 120


@contextlib.contextmanager
def rabbitmq(folder: Path) -> Iterator[str]:
    """A RabbitMQ; gives its address."""
    folder.mkdir()
    names = free_port(24100)
    port = free_port(25100)
    environment = {
        **os.environ,
        "HOME": str(folder),
        "HOSTNAME": "localhost",
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "ERL_EPMD_PORT": str(names),
        "RABBITMQ_NODENAME": f"once{port}@localhost",
        "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODE_PORT": str(port),
        "RABBITMQ_DIST_PORT": str(free_port(26100)),
        "RABBITMQ_MNESIA_BASE": str(folder / "data"),
        "RABBITMQ_LOG_BASE": str(folder / "log"),
        "RABBITMQ_PID_FILE": str(folder / "pid"),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
        "RABBITMQ_CONFIG_FILE": str(folder / "none"),
    }
    try:
        with _process([str(RABBITMQ)], folder, environment):
            wait_for(lambda: _speaks_amqp(port), START_SECONDS)
            yield f"amqp://guest:guest@127.0.0.1:{port}//"
    finally:
        subprocess.run([EPMD, "-port", str(names), "-kill"], check=False, capture_output=True)


@contextlib.contextmanager
def redis(folder: Path) -> Iterator[str]:
    """A Redis; gives its address."""
    folder.mkdir()
    port = free_port(27100)
    command = [shutil.which("redis-server") or "redis-server", "--port", str(port), "--bind", "127.0.0.1"]
    with _process([*command, "--dir", str(folder), "--appendonly", "yes"], folder, dict(os.environ)):
        wait_for(lambda: _listens(port), START_SECONDS)
        yield f"redis://127.0.0.1:{port}/0"


@contextlib.contextmanager
def _process(command: list[str], folder: Path, environment: dict[str, str]) -> Iterator[None]:
    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(command, env=environment, cwd=folder, stdout=output, stderr=output)
    try:
        yield
        assert process.poll() is None, (folder / "output").read_text(errors="replace")
    finally:
        process.terminate()
        process.wait(timeout=60)


def _listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def _speaks_amqp(port: int) -> bool:
    """It listens before it is ready; ready is when it answers the protocol's greeting."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
        connection.sendall(b"AMQP\x00\x00\x09\x01")
        return connection.recv(1) == b"\x01"
    return False

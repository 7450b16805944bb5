"""The whole house in real processes: started, hurt, ended."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import psutil
import pytest

from once_delivery.common.embedded_postgres import EmbeddedPostgres
from once_delivery.config.house.ports import free_port
from once_delivery.config.management.commands import serve
from tests.house.sources import ROOT
from tests.workers import wait_for

NAMES = ("web", "worker1", "worker2", "beat", "sandbox", "drill_proxy")
START_SECONDS = 90


class Served:
    """One ``manage.py serve`` on a state folder of its own."""

    def __init__(self, state_dir: Path) -> None:
        self.state_dir = state_dir
        self.log = state_dir.parent / "serve.log"
        self.port = free_port(18000 + os.getpid() % 1000 * 10)
        self.environment = {
            **{
                name: value
                for name, value in os.environ.items()
                if name
                not in {
                    "CELERY_BROKER_URL",
                    "SECRET_KEY",
                    "ONCE_TARGETS_INSIDE",
                }  # serve says itself what it needs
            },
            "DJANGO_SETTINGS_MODULE": "once_delivery.config.settings",
            "ONCE_STATE_DIR": str(state_dir),
            "LANGUAGE": "en",
        }
        self.process: subprocess.Popen[bytes] | None = None

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, str(ROOT / "manage.py"), *arguments]

    def start(self, *arguments: str, **environment: str) -> psutil.Process:
        ports = ["--web-port", str(self.port), "--sandbox-port", str(self.port + 5)]
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                self.command("serve", "--no-drill", *ports, *arguments),
                env={**self.environment, **environment},
                stdout=output,
                stderr=output,
            )
        wait_for(lambda: "Ctrl-C ends everything" in self.told() or self.has_ended(), START_SECONDS)
        assert not self.has_ended(), self.told()
        return psutil.Process(self.process.pid)

    def has_ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def told(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def pids(self, name: str) -> list[int]:
        return [int(pid) for pid in re.findall(rf"\| {name} started \(pid=(\d+)\)", self.told())]

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*arguments),
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def address(self) -> str:
        found: str = json.loads((self.state_dir / "house.json").read_text())["web_url"]
        return found


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    house = Served(tmp_path / "state")
    yield house
    if house.process is not None and not house.has_ended():
        house.process.kill()
        house.process.wait()
    EmbeddedPostgres(house.state_dir, durable=False).destroy()


def healthy(address: str) -> bool:
    connection = HTTPConnection(address.removeprefix("http://"), timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    finally:
        connection.close()


def gone(processes: list[psutil.Process]) -> bool:
    return not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in processes)


def test_the_house_starts_heals_and_ends(served: Served) -> None:
    """One story, since a start takes its time: hurt, killed, started again, told to end."""
    database = EmbeddedPostgres(served.state_dir, durable=False)
    supervisor = served.start(
        # nobody listens there: Wagtail cannot be installed
        PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_CONFIG_FILE=os.devnull,
        ONCE_CACHE_DIR=str(served.state_dir.parent / "cache"),
    )  # fmt: skip
    assert healthy(served.address())
    assert "the house goes on without it: ERROR: No matching distribution found" in served.told()
    assert served.pids("wagtail") == []
    refused = served.run("serve")
    assert (refused.returncode, "[already-running]" in refused.stderr) == (1, True)

    os.kill(served.pids("worker1")[0], signal.SIGKILL)
    wait_for(lambda: len(served.pids("worker1")) == 2, 30)
    assert re.search(r"worker1 +\| ended \(-9\) and is started again", served.told())

    everybody = supervisor.children(recursive=True)
    assert len(everybody) >= 2 * len(NAMES)
    supervisor.kill()
    assert served.process is not None
    served.process.wait()
    wait_for(lambda: gone(everybody), 20)
    assert database.answers()

    with socket.create_server(("127.0.0.1", served.port)):  # the usual port is taken now
        supervisor = served.start("--no-wagtail")
        assert served.address() == f"http://localhost:{served.port + 1}"
    everybody = supervisor.children(recursive=True)
    supervisor.send_signal(signal.SIGINT)
    assert served.process.wait(timeout=60) == 0, served.told()
    wait_for(lambda: gone(everybody), 20)
    assert not database.answers()


@pytest.mark.django_db
def test_a_drill_that_cannot_be_run_is_told_and_the_house_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    serve.Command()._drill(skip=False)  # there is no project to drill in
    told = capsys.readouterr().out
    assert "There is no project “demo”" in told
    assert "The house goes on without it; make drill runs it again." in told


def test_stop_ends_the_database(served: Served) -> None:
    database = EmbeddedPostgres(served.state_dir, durable=False)
    database.ensure_running()
    stopped = served.run("stop")
    assert (stopped.returncode, stopped.stderr) == (0, "")
    assert not database.answers()
    assert served.run("stop").stdout == ""

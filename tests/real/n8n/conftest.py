from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from once_delivery.drill.losing_proxy import LosingProxy
from once_delivery.sandbox.process import SandboxProcess
from tests.real.n8n.bench import Bench
from tests.real.n8n.house import House, running_house
from tests.real.n8n.report import Report
from tests.real.systems.n8n import N8nServer, running_n8n

REPORT = pytest.StashKey[Report]()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the table when something was played."""
    report = config.stash.get(REPORT, None)
    if report is not None:
        terminalreporter.section("drafts in the target")
        for line in report.lines():
            terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def report(pytestconfig: pytest.Config) -> Report:
    """What is printed at the end."""
    return pytestconfig.stash.setdefault(REPORT, Report())


@pytest.fixture(scope="session")
def n8n(tmp_path_factory: pytest.TempPathFactory) -> Iterator[N8nServer]:
    """One start for all of its tests."""
    with running_n8n(tmp_path_factory.mktemp("n8n")) as server:
        yield server


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxProcess]:
    with SandboxProcess(tmp_path_factory.mktemp("sandbox")) as process:
        yield process


@pytest.fixture(scope="session")
def before_sandbox(sandbox: SandboxProcess) -> Iterator[LosingProxy]:
    """What n8n and ONCE reach the sandbox through."""
    with LosingProxy(sandbox.base_url, allow_inside=True) as proxy:
        yield proxy


@pytest.fixture
def house(transactional_db: None, live_server: LiveServer, tmp_path: Path) -> Iterator[House]:
    """ONCE, on a database of this test alone."""
    with running_house(live_server.url, tmp_path) as running:
        yield running


@pytest.fixture
def bench(
    n8n: N8nServer, house: House, sandbox: SandboxProcess, before_sandbox: LosingProxy
) -> Iterator[Bench]:
    """All of it, and what n8n reaches ONCE through."""
    with LosingProxy(house.base_url, allow_inside=True) as before_house:
        yield Bench(n8n, house, before_house, sandbox.admin, before_sandbox)

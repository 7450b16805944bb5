from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.sandbox.process import SandboxProcess
from tests.builders import a_project
from tests.vendor_drill.given import Running, Vendor, a_vendor, agreed, proxy_running


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxAdmin]:
    with SandboxProcess(Path(tmp_path_factory.mktemp("vendor-sandbox")) / "data") as process:
        yield process.admin


@pytest.fixture
def proxy(transactional_db: None) -> Iterator[Running]:
    with proxy_running() as running:
        yield running


@pytest.fixture
def vendor(sandbox: SandboxAdmin, proxy: Running) -> Callable[..., Vendor]:
    """A vendor with an open drill on a space of its own."""

    def made(count: int = 3, **changes: Any) -> Vendor:
        return a_vendor(a_project(), sandbox, proxy.port, agreed(count, **changes))

    return made

from __future__ import annotations

from collections.abc import Iterator

import pytest

from once_delivery.sandbox.client import SandboxAdmin
from tests.targets.sandbox_space import running_sandbox


@pytest.fixture(scope="session")
def admin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxAdmin]:
    yield from running_sandbox(tmp_path_factory.mktemp("sandbox"))

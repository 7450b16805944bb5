from __future__ import annotations

from collections.abc import Iterator

import pytest

from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.profile import Guard
from tests.targets.sandbox_space import Target, running_sandbox


@pytest.fixture(scope="session")
def admin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxAdmin]:
    yield from running_sandbox(tmp_path_factory.mktemp("sandbox"))


@pytest.fixture
def target(request: pytest.FixtureRequest, admin: SandboxAdmin) -> Iterator[Target]:
    made = Target(admin, getattr(request, "param", Guard.LOOKUP))
    yield made
    made.connector.close()

"""One real sandbox process a session; a space of its own for every test."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from once_delivery.sandbox.process import SandboxProcess
from tests.sandbox.caller import Caller

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxProcess]:
    """The process."""
    with SandboxProcess(tmp_path_factory.mktemp("sandbox")) as process:
        yield process


@pytest.fixture
def new_caller(sandbox: SandboxProcess) -> Callable[..., Caller]:
    """Makes a space with settings and gives its caller."""

    def make(**settings: Any) -> Caller:
        name = f"t{next(_numbers)}"
        token = sandbox.admin.put_space(name, **settings)["token"]
        return Caller(sandbox.admin, name, token, sandbox.port)

    return make


@pytest.fixture
def caller(new_caller: Callable[..., Caller]) -> Caller:
    """A caller of a space with default settings."""
    return new_caller()


@pytest.fixture
def eventually() -> Callable[[Callable[[], bool]], None]:
    """Waits until something is true, a few seconds at most."""

    def wait(condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 5
        while not condition():
            assert time.monotonic() < deadline, "it did not come true"
            time.sleep(0.02)

    return wait

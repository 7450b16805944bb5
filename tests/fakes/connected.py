"""Put the in-memory target in the place of every real one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import pytest

from once_delivery.targets.models import Target
from tests.fakes.connector import FakeConnector, FakeTarget


def connect(patch: pytest.MonkeyPatch, target: FakeTarget, *modules: ModuleType) -> FakeTarget:
    """Afterwards ``modules`` reach ``target``, whichever they ask for."""

    @contextmanager
    def connected(_: Target) -> Iterator[FakeConnector]:
        yield FakeConnector(target)

    for module in modules:
        patch.setattr(module, "connected", connected)
    return target

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real.brokers import rabbitmq, redis
from tests.real.systems.wordpress import WordPressServer, running_wordpress

SERVERS = {"rabbitmq": rabbitmq, "redis": redis}


@pytest.fixture(params=sorted(SERVERS))
def broker_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a running broker, of each kind in turn; a new one, since killed workers leave messages."""
    with SERVERS[request.param](tmp_path / request.param) as url:
        yield url


@pytest.fixture(scope="session")
def wordpress(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WordPressServer]:
    """Two sites, one start for all tests that need them."""
    with running_wordpress(tmp_path_factory.mktemp("wordpress")) as server:
        yield server

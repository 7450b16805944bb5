from __future__ import annotations

from collections.abc import Iterator

import pytest

from once_delivery.common.http import HttpClient


@pytest.fixture
def client() -> Iterator[HttpClient]:
    """A client that may speak to this machine."""
    client = HttpClient(allow_inside=True)
    yield client
    client.close()

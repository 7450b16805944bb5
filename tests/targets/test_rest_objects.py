from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.targets.rest_api import api, listed, thing, wanted


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("https://cms.example/x", "https://cms.example/x"),
        ("javascript:alert(1)", ""),
        ("data:text/html,x", ""),
        ("x" * 1001, ""),
        (5, ""),
        ("http://[bad", ""),
        ("https://cms.example/\x00", ""),
    ],
)
def test_only_addresses_that_a_person_may_press(given: Any, url: str) -> None:
    with api(listed(thing(url=given))) as (connector, _):
        assert connector.look_up(wanted()).objects[0].url == url


@pytest.mark.parametrize(
    ("given", "moment"),
    [
        ("2026-11-29T10:00:00+08:00", datetime(2026, 11, 29, 2, tzinfo=UTC)),
        ("2026-11-29 10:00:00", datetime(2026, 11, 29, 10, tzinfo=UTC)),
        (1764410400, datetime(2025, 11, 29, 10, tzinfo=UTC)),
        (1764410400000, datetime(2025, 11, 29, 10, tzinfo=UTC)),
        (1e300, None),
        (-1, None),
        ("0001-01-01T00:00:00+14:00", None),
        ("9999-12-31T23:59:59Z", None),
        ("9999-12-31T23:59:59-14:00", None),
        ("2026-11-29T10:00:00+23:59", datetime(2026, 11, 28, 10, 1, tzinfo=UTC)),
        ("yesterday", None),
        (True, None),
    ],
)
def test_moments(given: Any, moment: datetime | None) -> None:
    with api(listed(thing(created_at=given))) as (connector, _):
        assert connector.look_up(wanted()).objects[0].created_at == moment

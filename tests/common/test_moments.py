"""Moments that others write."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from once_delivery.common.moments import aware_moment_of, moment_of


def test_a_moment_is_read_with_its_zone_or_without() -> None:
    assert moment_of("2026-11-30T08:00:00Z") == datetime(2026, 11, 30, 8, tzinfo=UTC)
    assert moment_of("2026-11-30T08:00") == datetime(2026, 11, 30, 8)  # noqa: DTZ001 -- as it was written
    assert aware_moment_of("2026-11-30T08:00:00Z") == datetime(2026, 11, 30, 8, tzinfo=UTC)
    assert aware_moment_of("2026-11-30T08:00") is None


@pytest.mark.parametrize("said", ["", "soon", "2026-13-40T08:00:00Z", "2026-11-30T25:00:00Z", None, 7, ["x"]])
def test_what_is_none_raises_nothing(said: object) -> None:
    assert moment_of(said) is None
    assert aware_moment_of(said) is None

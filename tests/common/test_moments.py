"""Moments that others write."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from once_delivery.common.moments import aware_moment_of, mail_time_of, meant, moment_of


def test_a_moment_is_read_with_its_zone_or_without() -> None:
    assert moment_of("2026-11-30T08:00:00Z") == datetime(2026, 11, 30, 8, tzinfo=UTC)
    assert moment_of("2026-11-30T08:00") == datetime(2026, 11, 30, 8)  # noqa: DTZ001 -- as it was written
    assert aware_moment_of("2026-11-30T08:00:00Z") == datetime(2026, 11, 30, 8, tzinfo=UTC)
    assert aware_moment_of("2026-11-30T08:00") is None


@pytest.mark.parametrize("said", ["", "soon", "2026-13-40T08:00:00Z", "2026-11-30T25:00:00Z", None, 7, ["x"]])
def test_what_is_none_raises_nothing(said: object) -> None:
    assert moment_of(said) is None
    assert aware_moment_of(said) is None


@pytest.mark.parametrize(
    "said",
    [
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "9999-12-31T23:59:59Z",
        "1970-01-01T00:00:00+00:01",
        "2199-12-31T23:59:59-00:01",
    ],
)
def test_what_nobody_can_mean_is_no_moment(said: str) -> None:
    assert aware_moment_of(said) is None
    assert moment_of(said) is None
    assert meant(datetime.fromisoformat(said)) is None


def test_a_moment_without_a_zone_has_bounds_too() -> None:
    assert meant(datetime(2026, 11, 30)) is None  # noqa: DTZ001 -- it says no moment
    assert moment_of("9999-12-31T00:00") is None
    assert moment_of("0001-01-01T00:00") is None


def test_a_moment_is_in_utc_whatever_its_offset() -> None:
    for offset in (16, 23, -23):
        at = datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=offset)))
        found = aware_moment_of(at.isoformat())
        assert found == at
        assert found is not None
        assert found.utcoffset() == timedelta()


@pytest.mark.parametrize(
    ("said", "at"),
    [
        ("Sun, 29 Nov 2026 20:38:40 GMT", datetime(2026, 11, 29, 20, 38, 40, tzinfo=UTC)),
        ("Sun, 29 Nov 2026 20:38:40 -0000", datetime(2026, 11, 29, 20, 38, 40, tzinfo=UTC)),
        ("Sun, 29 Nov 2026 20:38:40 +0800", datetime(2026, 11, 29, 12, 38, 40, tzinfo=UTC)),
        ("Sun, 29 Nov 2026 20:38:40 +99999999999999999999", None),
        ("Sun, 99999999999999999999 Nov 2026 20:38:40 GMT", None),
        ("Sun, 29 Nov 99999999999999999999 20:38:40 GMT", None),
        ("Sun, 29 Nov 2026 " + "9" * 5000 + ":38:40 GMT", None),
        ("tomorrow", None),
        ("", None),
    ],
)
def test_a_time_as_a_header_has_it(said: str, at: datetime | None) -> None:
    assert mail_time_of(said) == at

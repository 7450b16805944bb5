"""Working time, across nights, weekends, holidays and changes to summer time."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconciliation.business_hours import BusinessHours

SHANGHAI, BERLIN = ZoneInfo("Asia/Shanghai"), ZoneInfo("Europe/Berlin")
OFFICE = BusinessHours(SHANGHAI)


def at(text: str, zone: ZoneInfo = SHANGHAI) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


@pytest.mark.parametrize(
    ("start", "hours", "due"),
    [
        ("2026-11-30 10:00", 4, "2026-11-30 14:00"),
        ("2026-11-30 16:00", 4, "2026-12-01 11:00"),  # over night
        ("2026-11-27 17:00", 8, "2026-11-30 16:00"),  # over the weekend
        ("2026-11-28 12:00", 1, "2026-11-30 10:00"),  # opened on a Saturday
        ("2026-11-30 07:00", 1, "2026-11-30 10:00"),  # before the day begins
        ("2026-11-30 18:00", 1, "2026-12-01 10:00"),  # as it ends
        ("2026-11-30 10:00", 0, "2026-11-30 10:00"),
    ],
)
def test_when_it_is_due(start: str, hours: float, due: str) -> None:
    assert OFFICE.after(at(start), hours) == at(due)


def test_holidays_do_not_count() -> None:
    golden_week = frozenset(date(2026, 10, day) for day in range(1, 8))
    hours = BusinessHours(SHANGHAI, holidays=golden_week)
    assert hours.after(at("2026-09-30 17:00"), 2) == at("2026-10-08 10:00")
    assert hours.between(at("2026-10-01 00:00"), at("2026-10-07 23:59")) == timedelta()


def test_a_day_of_summer_time_has_its_own_length() -> None:
    day_and_night = BusinessHours(BERLIN, frozenset(range(7)), time(0), time(0))
    spring = at("2026-03-29 00:00", BERLIN)
    assert day_and_night.between(spring, at("2026-03-30 00:00", BERLIN)) == timedelta(hours=23)
    autumn = at("2026-10-25 00:00", BERLIN)
    assert day_and_night.between(autumn, at("2026-10-26 00:00", BERLIN)) == timedelta(hours=25)


def test_who_never_works_is_due_all_the_same() -> None:
    """R13"""
    never = BusinessHours(SHANGHAI, days=frozenset())
    assert never.after(at("2026-11-30 10:00"), 8) == at("2026-11-30 18:00")


MOMENTS = st.integers(0, 364 * 24 * 3600).map(
    lambda seconds: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
)
CALENDARS = st.builds(
    BusinessHours,
    st.sampled_from([SHANGHAI, BERLIN]),
    st.frozensets(st.integers(0, 6), min_size=1),
    st.times(max_value=time(11)).map(lambda one: one.replace(second=0, microsecond=0)),
    st.times(min_value=time(13)).map(lambda one: one.replace(second=0, microsecond=0)),
)


@given(CALENDARS, MOMENTS, st.floats(0, 200))
def test_after_and_between_agree(calendar: BusinessHours, start: datetime, hours: float) -> None:
    due = calendar.after(start, hours)
    passed = calendar.between(start, due)
    assert abs(passed - timedelta(hours=hours)) < timedelta(milliseconds=1)


@given(CALENDARS, MOMENTS, MOMENTS, MOMENTS)
def test_parts_add_up(calendar: BusinessHours, one: datetime, two: datetime, three: datetime) -> None:
    first, second, third = sorted([one, two, three])
    parts = calendar.between(first, second) + calendar.between(second, third)
    assert parts == calendar.between(first, third)


@pytest.mark.parametrize("hours", [0.5, 4, 9, 20, 300])
def test_before_is_the_other_way_round(hours: float) -> None:
    shop = BusinessHours(ZoneInfo("Europe/Berlin"), holidays=frozenset({date(2026, 10, 1)}))
    end = datetime(2026, 11, 29, 12, 0, tzinfo=ZoneInfo("UTC"))  # a Sunday
    start = shop.before(end, hours)
    assert shop.between(start, end) == timedelta(hours=hours)
    assert shop.between(start + timedelta(minutes=1), end) < timedelta(hours=hours)


def test_before_where_nobody_ever_works_counts_every_hour() -> None:
    never = BusinessHours(ZoneInfo("UTC"), days=frozenset())
    end = datetime(2026, 11, 29, 12, 0, tzinfo=ZoneInfo("UTC"))
    assert never.before(end, 4) == end - timedelta(hours=4)

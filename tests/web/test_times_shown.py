"""Times on pages: one that is kept and cannot be shown in the reader's zone stops no page."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from once_delivery.ui.templatetags.ui import to_the_second, when


@pytest.mark.parametrize(
    ("zone", "at"),
    [
        ("Asia/Shanghai", datetime.max.replace(tzinfo=UTC)),
        ("America/New_York", datetime.min.replace(tzinfo=UTC)),
    ],
)
def test_the_ends_of_all_times_are_shown_as_they_are(zone: str, at: datetime) -> None:
    with timezone.override(ZoneInfo(zone)):
        assert at.isoformat() in when(at)
        assert at.isoformat() in to_the_second(at)

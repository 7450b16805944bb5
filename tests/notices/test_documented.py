"""The example for receivers in docs/webhooks.md is run as it stands there."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from once_delivery.notices.models import ROUTED, Event
from once_delivery.notices.services.hand_over import DEADLINE_S
from once_delivery.notices.services.send_due import PAUSES_S
from once_delivery.notices.signing import new_webhook_secret, signed_headers

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ("webhooks.md", "webhooks.zh-CN.md")
BODY = '{"type": "case.opened", "data": {"task": "保温杯"}}'.encode()


@pytest.fixture(params=PAGES)
def is_from_once(request: pytest.FixtureRequest) -> Callable[[str, dict[str, str], bytes], bool]:
    (code,) = re.findall(
        r"```python\n(.*?)```", (DOCS / request.param).read_text(encoding="utf-8"), re.DOTALL
    )
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102 - our own page
    found: Callable[[str, dict[str, str], bytes], bool] = names["is_from_once"]
    return found


def test_the_example_takes_ours_and_nothing_else(
    is_from_once: Callable[[str, dict[str, str], bytes], bool],
) -> None:
    secret, now = new_webhook_secret(), timezone.now()
    headers = signed_headers(secret=secret, message_id="m-1", at=now, body=BODY)
    assert is_from_once(secret, headers, BODY)
    assert not is_from_once(secret, headers, BODY + b" ")
    assert not is_from_once(new_webhook_secret(), headers, BODY)
    assert not is_from_once(secret, headers | {"webhook-id": "m-2"}, BODY)
    assert not is_from_once(secret, {}, BODY)
    for minutes in (-6, 6):
        at = now + timedelta(minutes=minutes)
        old = signed_headers(secret=secret, message_id="m-1", at=at, body=BODY)
        assert not is_from_once(secret, old, BODY)


@pytest.mark.parametrize("page", PAGES)
def test_the_page_names_every_event_and_the_true_pauses(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z]+\.[a-z]+)`", text))
    assert {str(event) for event in (*ROUTED, Event.ROUTE_TEST)} == named
    # change these in both pages with the numbers
    assert (PAUSES_S, DEADLINE_S) == ((5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400), 15)

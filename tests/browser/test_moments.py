"""Moments that go wrong with people: the session ends in the middle, the way back, the page of yesterday."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session

from once_delivery.targets.profile import Guard
from tests.browser.conftest import NewVisitor
from tests.browser.demo import Demo

pytestmark = pytest.mark.real


def test_a_session_that_ends_while_a_part_is_fetched(demo: Demo, visitor: NewVisitor) -> None:
    """The whole page goes to the sign-in, never a sign-in form into the middle of a panel; and back afterwards."""
    target, _judge = demo.target(Guard.LOOKUP)
    batch = demo.batch(target, "露营灯")
    ops = visitor("ops", demo.passwords["ops"])
    ops.go(f"/batches/{batch.uuid}/")
    Session.objects.all().delete()
    ops.page.evaluate("htmx.ajax('GET', document.querySelector('#live').getAttribute('hx-get'), '#live')")
    ops.waits_for("/sign-in/")
    assert ops.page.locator(".rail").count() == 0
    ops.sign_in("ops", demo.passwords["ops"])
    ops.waits_for(f"/batches/{batch.uuid}/")


def test_a_button_after_the_session_has_ended(demo: Demo, visitor: NewVisitor) -> None:
    target, _judge = demo.target(Guard.LOOKUP)
    batch = demo.batch(target, "露营灯")
    ops = visitor("ops", demo.passwords["ops"])
    ops.go(f"/batches/{batch.uuid}/resume/")
    Session.objects.all().delete()
    ops.page.locator("form .btn--main").click()
    ops.waits_for("/sign-in/")
    assert batch.runs.count() == 0


def test_the_way_back_after_signing_out_shows_nothing(demo: Demo, visitor: NewVisitor) -> None:
    ops = visitor("ops", demo.passwords["ops"])
    ops.go("/batches/")
    ops.press("Sign out")
    ops.waits_for("/sign-in/")
    ops.page.go_back()
    ops.waits_for("/sign-in/")


def test_the_language_is_kept_with_the_person(demo: Demo, visitor: NewVisitor) -> None:
    viewer = visitor("viewer", demo.passwords["viewer"])
    other = {"zh-hans": "English", "en": "简体中文"}[viewer.language]
    viewer.page.get_by_role("button", name=other).filter(visible=True).first.click()
    viewer.language = {"zh-hans": "en", "en": "zh-hans"}[viewer.language]
    viewer.sees("What waits for you")
    viewer.press("Sign out")
    viewer.sign_in("viewer", demo.passwords["viewer"])
    viewer.sees("What waits for you")

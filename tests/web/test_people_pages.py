"""The pages of an admin and those that need nobody: both languages, nothing inline, queries that do not grow."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from once_delivery.accounts.models import Membership, Role, User
from once_delivery.accounts.services.api_tokens import make_token
from once_delivery.accounts.services.invitations import invite
from once_delivery.notices.models import Message
from once_delivery.notices.services.announce_invitation import invite_by_mail
from once_delivery.notices.services.routes import add_route
from once_delivery.notices.services.send_test import send_test
from reconciliation.models.calendar import Calendar
from tests.web.conftest import World, signed_in
from tests.web.pages import read
from tests.web.test_languages import KNOWN, LATIN
from tests.web.test_policy import problems

TAILS = (
    "", "members/", "owners/", "invitations/", "tokens/", "notices/", "outbox/", "hours/", "settings/",
)  # fmt: skip
PUBLIC = (
    "/password/forgotten/",
    "/password/forgotten/sent/",
    "/password/reset/done/",
    "/password/reset/a/b/",
)
OWN = ("/account/", "/account/password/", "/account/second-factor/", "/account/browsers/")
# the house's words for these, what the test's data is called, and how dates are written
ALSO = {"API", "Webhook", "ONCE", "https", "HTTP"}
MOST = {"": 18, "members/": 13, "owners/": 13, "invitations/": 12, "tokens/": 12, "notices/": 12, "outbox/": 13, "hours/": 14, "settings/": 13}  # fmt: skip


def fill(world: World, number: int) -> None:
    """Some of everything."""
    admin, project = world.people[Role.ADMIN], world.project
    for at in range(number):
        name = f"somebody-{number}-{at}"
        Membership.objects.create(project=project, user=User.objects.create(username=name), role=Role.VIEWER)
        invite_by_mail(project=project, email=f"{name}@example.com", role="viewer", language="en", user=admin)
        make_token(project=project, name=name, role="viewer", days=3, user=admin)
        events = ["case.opened", "case.half", "case.overdue", "approval.asked", "member.invited"]
        route, _ = add_route(
            project=project, channel="email", address=f"{name}@example.com", events=events, user=admin
        )
        message = send_test(route=route, user=admin)
        Message.objects.filter(pk=message.pk).update(
            next_try_at=None, given_up_at=timezone.now(), error="ConnectionRefusedError"
        )
    Calendar.objects.get_or_create(project=project)


@pytest.fixture
def pages(world: World) -> list[tuple[Browser, str]]:
    """Every page, with who reads it."""
    fill(world, 2)
    admin = signed_in(world.people[Role.ADMIN], confirmed=True)
    unsure = signed_in(world.people[Role.ADMIN])
    vic = Membership.objects.get(project=world.project, user=world.vic)
    _, secret = invite(
        project=world.project, email="x@example.com", role="viewer", user=world.people[Role.ADMIN]
    )
    mine = [f"/projects/aurora/{tail}" for tail in (*TAILS, f"members/{vic.pk}/")] + list(OWN)
    known = signed_in(world.nobody)
    return [
        *((admin, path) for path in mine),
        *((unsure, f"/projects/aurora/{tail}") for tail in TAILS),
        *((Browser(), path) for path in (*PUBLIC, f"/invitation/{secret}/", "/invitation/nonsense/")),
        (known, f"/invitation/{secret}/"),
        (known, "/projects/"),
    ]


def test_nothing_inline(pages: list[tuple[Browser, str]]) -> None:
    found = {path: problems(browser.get(path).content.decode()) for browser, path in pages}
    assert {path: what for path, what in found.items() if what} == {}


def test_chinese_pages_have_no_english_left_over(pages: list[tuple[Browser, str]]) -> None:
    left = {}
    for browser, path in pages:
        said = read(browser.get(path, headers={"accept-language": "zh-CN"}).content.decode())
        if words := {word for text in said for word in LATIN.findall(text)} - KNOWN - ALSO:
            left[path] = words
    assert left == {}


def test_english_pages_have_no_chinese_left_over(pages: list[tuple[Browser, str]]) -> None:
    left = {}
    for browser, path in pages:
        text = "".join(read(browser.get(path, headers={"accept-language": "en"}).content.decode()))
        for word in ("极光", "爱丽", "维克", "无名", "简体中文"):
            text = text.replace(word, "")
        if found := re.findall(r"[\u4e00-\u9fff]+", text):
            left[path] = found
    assert left == {}


@pytest.mark.parametrize("tail", TAILS)
def test_the_number_of_queries_does_not_grow(world: World, tail: str) -> None:
    browser, path = signed_in(world.people[Role.ADMIN], confirmed=True), f"/projects/aurora/{tail}"
    counts = []
    for number in (2, 9):
        fill(world, number)
        browser.get(path)  # the first page of a visit writes down that one is here
        with CaptureQueriesContext(connection) as caught:
            assert browser.get(path).status_code == 200
        counts.append(len(caught))
    assert counts[0] == counts[1] <= MOST[tail]


def test_a_long_outbox_is_paged(world: World) -> None:
    fill(world, 26)
    browser = signed_in(world.people[Role.ADMIN], confirmed=True)
    seen: set[str] = set()
    path = "/projects/aurora/outbox/"
    shown = re.compile(r'name="message" value="([\w-]+)"')
    while path:
        html = browser.get(path).content.decode()
        assert seen.isdisjoint(shown.findall(html))
        seen |= set(shown.findall(html))
        more = re.search(r'href="(\?after=\d+)">More', html)
        path = f"/projects/aurora/outbox/{more[1]}" if more else ""
    assert len(seen) == 26

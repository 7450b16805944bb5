"""The second factor at the door, and showing once more who one is."""

from __future__ import annotations

import time
from binascii import unhexlify

import pytest
from django.contrib.messages.storage.fallback import FallbackStorage
from django.http import HttpRequest, HttpResponse
from django.test import Client as Browser
from django.test import RequestFactory
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

from once_delivery.accounts.models import Project, Role, Visit
from once_delivery.accounts.services.second_factor import begin_setup, finish_setup
from once_delivery.ui.doors import CONFIRMED_FOR_S, MemberRequest, freshly_confirmed
from tests.web.conftest import World, signed_in

PASSWORD = "quite-a-long-one"


def code_of(device: TOTPDevice, *, later: int = 0) -> str:
    totp = TOTP(unhexlify(device.key))
    totp.time = totp.time + 30 * later
    return f"{totp.token():06}"


def with_a_factor(world: World) -> tuple[TOTPDevice, list[str]]:
    begin_setup(user=world.alice)
    device = TOTPDevice.objects.get(user=world.alice)
    return finish_setup(user=world.alice, code=code_of(device))


def through_the_door(world: World) -> Browser:
    browser = Browser(headers={"accept-language": "en"})
    answer = browser.post("/sign-in/", {"username": "alice", "password": PASSWORD, "next": "/cases/"})
    assert (answer.status_code, answer["Location"]) == (302, "/cases/")
    return browser


def test_without_a_factor_nothing_is_asked(world: World) -> None:
    assert through_the_door(world).get("/cases/").status_code == 200


def test_the_code_is_asked_for_before_any_page(world: World) -> None:
    device, _ = with_a_factor(world)
    browser = through_the_door(world)
    for path in ("/", "/cases/", f"/batches/{world.batch.uuid}/", "/confirm/", "/drills/"):
        answer = browser.get(path)
        assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/second-factor/"), path
    # and a new one cannot be set up instead
    assert browser.get("/second-factor/set-up/")["Location"] == "/second-factor/"
    assert browser.post("/second-factor/set-up/", {"code": "1"})["Location"] == "/second-factor/"

    wrong = browser.post("/second-factor/", {"code": "nonsense", "next": "/cases/"})
    assert (wrong.status_code, "not right" in wrong.content.decode()) == (422, True)
    TOTPDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
    right = browser.post("/second-factor/", {"code": code_of(device, later=1), "next": "/cases/"})
    assert (right.status_code, right["Location"]) == (302, "/cases/")
    assert browser.get("/cases/").status_code == 200


def test_a_part_that_is_fetched_moves_the_whole_page(world: World) -> None:
    with_a_factor(world)
    answer = through_the_door(world).get(f"/batches/{world.batch.uuid}/", headers={"hx-request": "true"})
    assert answer["HX-Redirect"].startswith("/second-factor/")


def test_a_project_that_requires_it(world: World) -> None:
    Project.objects.filter(pk=world.project.pk).update(requires_second_factor=True)
    browser = through_the_door(world)
    assert browser.get("/cases/")["Location"].split("?")[0] == "/second-factor/set-up/"
    shown = browser.get("/second-factor/set-up/?next=/cases/").content.decode()
    device = TOTPDevice.objects.get(user=world.alice)
    assert browser.get("/second-factor/set-up/").content.decode().count(device.config_url) == 0
    assert "<svg" in shown
    done = browser.post("/second-factor/set-up/", {"code": code_of(device), "next": "/cases/"})
    assert (done.status_code, done.content.decode().count("<li>")) == (200, 10)
    assert browser.get("/cases/").status_code == 200
    # people of other tenants are not asked
    assert signed_in(world.charlie).get("/cases/").status_code == 200


def test_goals_elsewhere_are_not_gone_to(world: World) -> None:
    device, _ = with_a_factor(world)
    browser = through_the_door(world)
    answer = browser.post(
        "/second-factor/", {"code": code_of(device, later=1), "next": "https://example.com/"}
    )
    assert answer["Location"] == "/"


@freshly_confirmed
def risky(request: MemberRequest) -> HttpResponse:
    return HttpResponse("done")


def ask(world: World, *, confirmed: float | None, method: str = "get") -> HttpResponse:
    request: HttpRequest = getattr(RequestFactory(), method)("/risky/?a=1")
    browser = Browser()
    browser.force_login(world.alice)
    request.session = browser.session
    request._messages = FallbackStorage(request)  # type: ignore[attr-defined] # as the middleware gives it
    world.alice.is_verified = lambda: False  # type: ignore[attr-defined] # as the middleware says it
    request.user = world.alice
    if confirmed is not None:
        request.session["confirmed_at"] = confirmed
    return risky(request)


@pytest.mark.parametrize("age", [None, CONFIRMED_FOR_S + 1])
def test_what_is_risky_asks_once_more(world: World, age: float | None) -> None:
    answer = ask(world, confirmed=None if age is None else time.time() - age)
    assert (answer.status_code, answer["Location"]) == (302, "/confirm/?next=%2Frisky%2F%3Fa%3D1")
    # a form that comes too late is not carried out, and begins anew
    posted = ask(world, confirmed=None, method="post")
    assert posted["Location"] == "/confirm/?next=%2Frisky%2F"


def test_a_form_that_comes_too_late_is_told_to_have_done_nothing(world: World) -> None:
    """And the page puts back what was typed."""
    page = "/projects/aurora/settings/"
    browser = signed_in(world.people[Role.ADMIN])
    assert browser.post(page, {"name": "Late"})["Location"].startswith("/confirm/")
    shown = browser.get(page).content.decode()
    assert "You were asked who you are first, so nothing was done." in shown
    assert "data-refill" in shown
    assert "data-refill" not in browser.get(page).content.decode()


def test_what_is_risky_is_done_after_it(world: World) -> None:
    assert ask(world, confirmed=time.time() - 10).content == b"done"


def test_confirming(world: World) -> None:
    browser = signed_in(world.alice)
    wrong = browser.post("/confirm/", {"password": "no", "next": "/cases/"})
    assert (wrong.status_code, "confirmed_at" in browser.session) == (422, False)
    right = browser.post("/confirm/", {"password": PASSWORD, "next": "/cases/"})
    assert (right["Location"], "confirmed_at" in browser.session) == ("/cases/", True)


def test_where_one_is_signed_in_is_written_down(world: World) -> None:
    through_the_door(world)
    through_the_door(world)
    assert Visit.objects.filter(user=world.alice).count() == 2

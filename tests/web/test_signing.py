"""Signing in and out, and being kept out after too many wrong tries."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.test import Client as Browser

from tests.web.conftest import World, signed_in

RIGHT = {"username": "alice", "password": "quite-a-long-one"}
WRONG = {"username": "alice", "password": "something-else"}


@pytest.fixture
def browser(world: World) -> Browser:
    return Browser(headers={"accept-language": "en"})


def test_signing_in_leads_to_where_one_wanted_to_go(browser: Browser) -> None:
    asked = browser.get("/cases/")
    assert asked["Location"] == "/sign-in/?next=/cases/"
    assert browser.post("/sign-in/", RIGHT | {"next": "/cases/"})["Location"] == "/cases/"
    assert browser.get("/cases/").status_code == 200


@pytest.mark.parametrize(
    ("came_from", "goal"),
    [
        ("http://testserver/cases/{case}/?a=1", "/cases/{case}/?a=1"),
        ("https://evil.example/cases/", "/"),
        ("", "/"),
    ],
)
def test_a_form_after_the_session_ended_leads_back_to_its_page(
    browser: Browser, world: World, came_from: str, goal: str
) -> None:
    """Its own address is no page: nobody can be led there."""
    case = str(world.case.uuid)
    answer = browser.post(f"/cases/{case}/decide/", headers={"referer": came_from.format(case=case)})
    back = parse_qs(urlsplit(answer["Location"]).query)["next"]
    assert back == [goal.format(case=case)]

    # what a script tells when the page is left is no form
    browser.post(f"/cases/{case}/time/", headers={"sec-fetch-mode": "no-cors"})

    browser.post("/sign-in/", RIGHT | {"next": back[0]})
    shown = browser.get(back[0])
    assert shown.status_code == 200
    assert shown.content.decode().count("You had been signed out, so nothing was done.") == 1


@pytest.mark.parametrize(
    "goal", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "\\\\evil.example"]
)
def test_nobody_is_led_to_another_house(browser: Browser, goal: str) -> None:
    assert browser.post("/sign-in/", RIGHT | {"next": goal})["Location"] == "/"
    assert browser.post("/preferences/theme/", {"theme": "dark", "next": goal})["Location"] == "/"


def test_a_wrong_password_says_so_and_keeps_the_name(browser: Browser) -> None:
    html = browser.post("/sign-in/", WRONG).content.decode()
    assert "do not belong together" in html
    assert 'value="alice"' in html
    assert "something-else" not in html


def test_too_many_wrong_passwords_shut_the_door_for_a_while(browser: Browser) -> None:
    for _ in range(settings.AXES_FAILURE_LIMIT):
        response = browser.post("/sign-in/", WRONG)
    assert response.status_code == 429
    html = browser.post("/sign-in/", RIGHT).content.decode()
    assert "Too many attempts. Try again in 60 minutes" in html
    assert browser.get("/").status_code == 302


def test_signing_out_ends_the_session(browser: Browser) -> None:
    browser.post("/sign-in/", RIGHT)
    assert browser.post("/sign-out/")["Location"] == "/sign-in/"
    assert browser.get("/").status_code == 302


def test_who_is_signed_in_does_not_see_the_form(alice: Browser) -> None:
    assert alice.get("/sign-in/")["Location"] == "/"


@pytest.mark.parametrize(
    ("theme", "written"),
    [("dark", ' data-theme="dark"'), ("light", ' data-theme="light"'), ("system", ""), ('"><script>', "")],
)
def test_light_or_dark_is_right_from_the_first_paint(browser: Browser, theme: str, written: str) -> None:
    browser.post("/preferences/theme/", {"theme": theme})
    assert f'<html lang="en"{written}>' in browser.get("/sign-in/").content.decode()


def test_times_are_in_the_persons_zone(world: World) -> None:
    world.alice.timezone = "America/New_York"
    world.alice.save()
    html = signed_in(world.alice).get(f"/batches/{world.batch.uuid}/").content.decode()
    assert "America/New_York" in html
    assert "UTC-" in html


def test_a_zone_that_is_none_does_no_harm(world: World) -> None:
    world.alice.timezone = "../../etc/passwd"
    world.alice.save()
    assert settings.TIME_ZONE in signed_in(world.alice).get("/").content.decode()

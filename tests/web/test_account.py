"""One's own account: details, password, second factor, where one is signed in."""

from __future__ import annotations

from binascii import unhexlify

import pytest
from django.test import Client as Browser
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

from once_delivery.accounts.models import Project, User, Visit
from once_delivery.accounts.services.second_factor import begin_setup, finish_setup
from once_delivery.web.selectors.account import browser_name
from tests.web.conftest import World, signed_in

PASSWORD, NEW = "quite-a-long-one", "another-fine-phrase"
DETAILS = {"name": "爱丽 Alice", "email": "alice@example.com", "language": "en", "timezone": "Europe/Berlin"}
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Mobile/15E148 Safari/604.1"
)
EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "
    "Safari/537.36 Edg/140.0.0.0"
)


def through_the_door(password: str = PASSWORD, **headers: str) -> Browser:
    browser = Browser(headers={"accept-language": "en", **headers})
    assert browser.post("/sign-in/", {"username": "alice", "password": password}).status_code == 302
    return browser


def test_details_are_kept(world: World) -> None:
    answer = signed_in(world.alice, confirmed=True).post("/account/", DETAILS)
    assert answer["Location"] == "/account/"
    alice = User.objects.get(username="alice")
    assert {name: getattr(alice, name) for name in ("email", "language", "timezone")} == {
        "email": "",  # until its link was opened
        "language": "en",
        "timezone": "Europe/Berlin",
    }
    assert alice.get_full_name() == "爱丽 Alice"
    assert answer.cookies["django_language"].value == "en"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("name", "x" * 151, "at most 150"),
        ("email", "nobody", "no e-mail address"),
        ("email", 'a@b.c" autofocus x="', "no e-mail address"),
        ("language", "xx", "no language"),
        ("timezone", "Mars/Olympus", "no time zone"),
        ("timezone", "../../etc/passwd", "no time zone"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(world: World, name: str, value: str, said: str) -> None:
    answer = signed_in(world.alice, confirmed=True).post("/account/", DETAILS | {name: value})
    html = answer.content.decode()
    assert answer.status_code == 422
    assert said in html.split(f'id="w-{name}"')[1].split("</ul>")[0]
    assert "alice@example.com" in html or name == "email"  # what was right is kept
    assert 'autofocus x="' not in html
    assert not User.objects.get(username="alice").email


def test_the_e_mail_opens_the_door_and_is_risky(world: World) -> None:
    """A new password is sent there: whoever finds an open browser must not change it."""
    browser = signed_in(world.alice)
    assert browser.post("/account/", DETAILS)["Location"] == "/confirm/?next=%2Faccount%2F"
    assert browser.post("/account/", DETAILS | {"email": ""})["Location"] == "/account/"
    alice = User.objects.get(username="alice")
    assert (alice.email, alice.timezone) == ("", "Europe/Berlin")
    assert "readonly" in browser.get("/account/").content.decode()


def test_a_new_password_ends_every_other_visit(world: World) -> None:
    here, there = through_the_door(), through_the_door()
    answer = here.post("/account/password/", {"password": NEW, "again": NEW})
    assert answer["Location"] == "/account/"
    assert "1 other browser was signed out" in here.get("/account/").content.decode()
    assert there.get("/account/").status_code == 302
    assert [visit.session_key for visit in Visit.objects.filter(user=world.alice)] == [
        here.session.session_key
    ]
    through_the_door(NEW)
    assert (
        "do not belong together"
        in Browser(headers={"accept-language": "en"})
        .post("/sign-in/", {"username": "alice", "password": PASSWORD})
        .content.decode()
    )


@pytest.mark.parametrize(
    ("password", "again", "field"),
    [
        ("sh0rt", "sh0rt", "password"),
        (NEW, NEW + "x", "again"),
    ],
)
def test_passwords_that_are_none(world: World, password: str, again: str, field: str) -> None:
    answer = through_the_door().post("/account/password/", {"password": password, "again": again})
    html = answer.content.decode()
    assert (answer.status_code, f'id="w-{field}"' in html, password in html) == (422, True, False)
    assert User.objects.get(username="alice").check_password(PASSWORD)


def test_visits_are_listed_and_ended(world: World) -> None:
    here, there = through_the_door(), through_the_door(**{"user-agent": SAFARI})
    html = here.get("/account/browsers/").content.decode()
    assert ("this browser" in html, "Safari" in html, "iPhone" in html) == (True, True, True)
    other = Visit.objects.get(session_key=there.session.session_key)
    here.post("/account/browsers/", {"visit": str(other.uuid)})
    assert (there.get("/account/").status_code, here.get("/account/").status_code) == (302, 200)


def test_all_others_at_once(world: World) -> None:
    here, *others = [through_the_door() for _ in range(3)]
    here.post("/account/browsers/", {"act": "others"})
    assert [one.get("/account/").status_code for one in others] == [302, 302]
    assert here.get("/account/").status_code == 200


def test_nobody_ends_another_persons_visit(world: World) -> None:
    alice = through_the_door()
    visit = Visit.objects.get(user=world.alice)
    for name in (str(visit.uuid), "nonsense", ""):
        assert signed_in(world.vic).post("/account/browsers/", {"visit": name}).status_code == 404
    assert alice.get("/account/").status_code == 200


def with_a_factor(user: User) -> TOTPDevice:
    begin_setup(user=user)
    totp = TOTP(unhexlify(TOTPDevice.objects.get(user=user).key))
    device, _ = finish_setup(user=user, code=f"{totp.token():06}")
    return device


def verified(world: World) -> Browser:
    """Alice, who has shown her code and her password."""
    browser = signed_in(world.alice, confirmed=True)
    session = browser.session
    session["otp_device_id"] = with_a_factor(world.alice).persistent_id
    session.save()
    return browser


def test_new_codes_for_paper(world: World) -> None:
    browser = verified(world)
    assert "10 codes are left" in browser.get("/account/second-factor/").content.decode()
    html = browser.post("/account/second-factor/", {"act": "paper"}).content.decode()
    assert html.count("<li>") == 10


def test_removing_the_factor(world: World) -> None:
    browser = verified(world)
    assert browser.post("/account/second-factor/", {"act": "remove"})["Location"] == "/account/"
    assert not TOTPDevice.objects.filter(user=world.alice).exists()


def test_a_required_factor_stays(world: World) -> None:
    browser = verified(world)
    Project.objects.filter(pk=world.project.pk).update(requires_second_factor=True)
    assert "can be replaced, not removed" in browser.get("/account/second-factor/").content.decode()
    answer = browser.post("/account/second-factor/", {"act": "remove"})
    assert (answer.status_code, TOTPDevice.objects.filter(user=world.alice).count()) == (409, 1)


def test_no_codes_without_a_factor(world: World) -> None:
    browser = signed_in(world.alice, confirmed=True)
    assert browser.post("/account/second-factor/", {"act": "paper"}).status_code == 409


def test_an_app_is_replaced_only_by_who_has_just_shown_the_password(world: World) -> None:
    browser = verified(world)
    assert browser.get("/second-factor/set-up/").status_code == 200
    session = browser.session
    del session["confirmed_at"]
    session.save()
    for method in ("get", "post"):
        # the factor was shown when signing in; the password is asked for all the same
        answer = getattr(browser, method)("/second-factor/set-up/")
        assert answer["Location"].split("?")[0] == "/confirm/"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (SAFARI, "Safari 604 · iPhone"),
        (EDGE, "Edge 140 · Windows"),
        ("", ""),
        ("curl/8.5.0", "curl/8.5.0"),
        ("<b>" * 40, ("<b>" * 40)[:60]),
    ],
)
def test_a_browser_by_its_name(said: str, name: str) -> None:
    assert browser_name(said) == name


def test_the_menu_leads_to_it(world: World) -> None:
    assert 'href="/account/"' in signed_in(world.vic).get("/").content.decode()

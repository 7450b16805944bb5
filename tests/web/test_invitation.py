"""Invitations: made by an admin, accepted by whoever has the link."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client as Browser
from django.utils import timezone

from once_delivery.accounts.access import role_of
from once_delivery.accounts.models import Invitation, Role, User
from once_delivery.accounts.services.invitations import invite
from once_delivery.notices.models import Message
from once_delivery.notices.services.send_due import send_due_messages
from tests.web.conftest import World, signed_in
from tests.web.test_policy import problems

GOOD = "a-fine-long-phrase-7"
HERE = "/projects/aurora/invitations/"


@pytest.fixture
def admin(world: World) -> Browser:
    return signed_in(world.people[Role.ADMIN], confirmed=True)


def link_for(world: World, role: Role = Role.FINANCE) -> str:
    _, secret = invite(
        project=world.project, email="lee@example.com", role=role, user=world.people[Role.ADMIN]
    )
    return f"/invitation/{secret}/"


@pytest.mark.django_db(transaction=True)
def test_the_link_is_shown_once_and_comes_by_e_mail(world: World, admin: Browser) -> None:
    answer = admin.post(HERE, {"email": "lee@example.com", "role": "finance", "language": "en"})
    assert (answer.status_code, answer["Location"]) == (302, HERE)
    shown = re.search(r"http://localhost:8000(/invitation/[\w-]+/)", admin.get(HERE).content.decode())
    assert shown is not None
    assert "/invitation/" not in admin.get(HERE).content.decode()
    message = Message.objects.get()
    assert shown[1] not in f"{message.text} {message.data} {message.subject} {Invitation.objects.values()}"
    send_due_messages()
    (letter,) = mail.outbox
    assert (letter.to, shown[1] in letter.body, letter.subject) == (
        ["lee@example.com"],
        True,
        "You are invited to 极光",
    )
    message.refresh_from_db()
    assert bytes(message.text_sealed) == b""
    assert Browser().get(shown[1]).status_code == 200


@pytest.mark.parametrize(
    "data", [{"email": "nobody", "role": "viewer"}, {"email": "a@example.com", "role": "king"}]
)
def test_bad_invitations_keep_what_was_typed(admin: Browser, data: dict[str, str]) -> None:
    answer = admin.post(HERE, data)
    html = answer.content.decode()
    assert (answer.status_code, 'id="w-email"' in html, data["email"] in html) == (422, True, True)
    assert not Invitation.objects.exists()
    assert not Message.objects.exists()


def test_revoking(world: World, admin: Browser) -> None:
    link = link_for(world)
    admin.post(HERE, {"act": "revoke", "invitation": str(Invitation.objects.get().uuid)})
    assert Browser().get(link).status_code == 404


def test_nothing_of_another_project_is_revoked(world: World) -> None:
    link = link_for(world)
    uuid = str(Invitation.objects.get().uuid)
    world.charlie.memberships.update(role=Role.ADMIN)
    charlie = signed_in(world.charlie, confirmed=True)
    for path in (HERE, "/projects/borealis/invitations/"):
        assert charlie.post(path, {"act": "revoke", "invitation": uuid}).status_code == 404
    assert Browser().get(link).status_code == 200


def test_somebody_new_makes_an_account(world: World) -> None:
    browser, link = Browser(headers={"accept-language": "en"}), link_for(world)
    before = browser.get(link).content.decode()
    assert "at least 12 characters" in before
    answer = browser.post(link, {"username": "lee", "password": GOOD})
    assert answer["Location"] == "/projects/aurora/"
    assert "You are a member of 极光 now" in browser.get("/projects/aurora/").content.decode()
    assert role_of(User.objects.get(username="lee"), world.project) == Role.FINANCE
    assert User.objects.get(username="lee").visits.count() == 1
    assert Browser().get(link).status_code == 404


@pytest.mark.parametrize(
    ("name", "password", "field"),
    [("alice", GOOD, "username"), ("a b", GOOD, "username"), ("lee", "sh0rt", "password")],
)
def test_errors_stand_beside_the_field(world: World, name: str, password: str, field: str) -> None:
    link = link_for(world)
    answer = Browser().post(link, {"username": name, "password": password})
    html = answer.content.decode()
    assert (answer.status_code, f'id="w-{field}"' in html, f'value="{name}"' in html) == (422, True, True)
    assert password not in html
    assert Browser().get(link).status_code == 200


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("alice", GOOD),
        ("a b", GOOD),
        ("", GOOD),
        ("x" * 151, GOOD),
        ("lee", "12345"),
        ("lee", "password1234"),
        ("lee", "lee@example.com"),
        ("lee", "483920174652839"),
    ],
)
def test_what_is_wrong_is_said_in_chinese_too(world: World, name: str, password: str) -> None:
    """Django's own sentences are part of the page: none may be left without its translation."""
    answer = Browser(headers={"accept-language": "zh-CN"}).post(
        link_for(world), {"username": name, "password": password}
    )
    said = re.findall(r"<li>.*?</svg>(.*?)</li>", answer.content.decode(), re.DOTALL)
    assert answer.status_code == 422
    assert said
    assert [text for text in said if not re.search("[\u4e00-\u9fff]", text)] == []


def test_somebody_known_accepts_as_themselves(world: World) -> None:
    browser, link = signed_in(world.charlie), link_for(world)
    assert "Accept as" in browser.get(link).content.decode()
    assert browser.post(link)["Location"] == "/projects/aurora/"
    assert role_of(world.charlie, world.project) == Role.FINANCE


def test_or_signs_out_and_is_somebody_else(world: World) -> None:
    browser, link = signed_in(world.charlie), link_for(world)
    assert browser.post("/sign-out/", {"next": link})["Location"] == link
    assert "A new account" in browser.get(link).content.decode()
    assert browser.post("/sign-out/", {"next": "https://evil.example/"})["Location"] == "/sign-in/"


def test_a_member_is_not_made_one_again(world: World) -> None:
    answer = signed_in(world.vic).post(link_for(world, Role.ADMIN))
    assert (answer.status_code, role_of(world.vic, world.project)) == (409, Role.VIEWER)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"expires_at": timezone.now()}, "This invitation has expired"),
        ({"revoked_at": timezone.now(), "expires_at": timezone.now()}, "This invitation holds no more"),
        ({"accepted_at": timezone.now()}, "This invitation was accepted already"),
    ],
)
def test_who_has_the_link_is_told_why_it_opens_nothing(
    world: World, change: dict[str, Any], told: str
) -> None:
    link = link_for(world)
    Invitation.objects.update(**change)
    for browser in (Browser(headers={"accept-language": "en"}), signed_in(world.charlie)):
        answer = browser.get(link)
        page = answer.content.decode()
        assert answer.status_code == 404
        assert problems(page) == []
        assert told in page
        assert [word for word in ("极光", "aurora", "lee@example.com") if word in page] == []
        assert browser.post(link, {"username": "lee", "password": GOOD}).status_code == 404
    assert not User.objects.filter(username="lee").exists()


def test_who_guesses_is_told_nothing(db: None) -> None:
    page = Browser(headers={"accept-language": "en"}).get("/invitation/nonsense/").content.decode()
    assert "This link opens nothing" in page
    assert "accepted already" not in page


def test_an_account_of_another_address_is_told_so(world: World) -> None:
    link, browser = link_for(world), signed_in(world.charlie)
    said = "went to another address than that of your account"
    assert said not in browser.get(link).content.decode()  # an account without an address
    User.objects.filter(pk=world.charlie.pk).update(email="charlie@example.com")
    assert said in browser.get(link).content.decode()
    User.objects.filter(pk=world.charlie.pk).update(email="Lee@example.com")
    assert said not in browser.get(link).content.decode()


@pytest.mark.parametrize("host", ["mail.example.com", ""])
def test_an_e_mail_is_promised_only_where_one_can_be_sent(
    world: World, admin: Browser, settings: Any, host: str
) -> None:
    settings.EMAIL_HOST, settings.EMAIL_FILE_PATH = host, "" if host else "mail"
    admin.post(HERE, {"email": "lee@example.com", "role": "finance", "language": "en"})
    page = admin.get(HERE).content.decode()
    assert ("is on its way by e-mail" in page) == bool(host)
    assert ("send this link to lee@example.com yourself" in page) == (not host)
    sent = Browser(headers={"accept-language": "en"}).get("/password/forgotten/sent/").content.decode()
    assert ("Look into your mailbox" in sent) == bool(host)
    assert ("a link is on its way" in sent) == bool(host)


def test_only_the_name_and_the_role_are_told_before(world: World) -> None:
    html = Browser(headers={"accept-language": "en"}).get(link_for(world)).content.decode()
    told = ("lee@example.com", "aurora", "极光家居", "some-admin", "爱丽", str(world.batch.uuid))
    assert [word for word in told if word in html] == []
    assert "极光" in html
    assert "finance" in html


def test_no_index_no_referrer_no_cache(world: World) -> None:
    for link in (link_for(world), "/invitation/nonsense/"):
        answer = Browser().get(link)
        assert answer["X-Robots-Tag"] == "noindex, nofollow"
        assert answer["Referrer-Policy"] == "same-origin"
        assert "no-store" in answer["Cache-Control"]
        assert 'href="http' not in answer.content.decode()  # nobody else could be told


def test_the_form_needs_its_token(world: World) -> None:
    link = link_for(world)
    strict = Browser(enforce_csrf_checks=True)
    assert strict.post(link, {"username": "lee", "password": GOOD}).status_code == 403
    assert not User.objects.filter(username="lee").exists()

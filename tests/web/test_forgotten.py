"""A password that was forgotten."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client as Browser
from django.utils import timezone

from once_delivery.accounts.models import User, Visit
from once_delivery.notices.models import Message
from once_delivery.notices.services.send_due import send_due_messages
from tests.web.conftest import World

pytestmark = pytest.mark.django_db(transaction=True)
NEW = "another-fine-phrase"


@pytest.fixture
def browser(world: World) -> Browser:
    User.objects.filter(username="alice").update(email="alice@example.com", language="en")
    return Browser(headers={"accept-language": "en"})


def ask(browser: Browser, email: str) -> tuple[int, str, bytes]:
    answer = browser.post("/password/forgotten/", {"email": email})
    return answer.status_code, answer["Location"], browser.get(answer["Location"]).content


def the_link(browser: Browser) -> str:
    ask(browser, "Alice@Example.com")
    send_due_messages()
    found = re.search(r"http://localhost:8000(/password/reset/\S+)", str(mail.outbox[-1].body))
    assert found is not None
    return found[1]


def open_door(password: str) -> Browser:
    browser = Browser(headers={"accept-language": "en"})
    browser.post("/sign-in/", {"username": "alice", "password": password})
    return browser


def test_the_door_leads_to_it(browser: Browser) -> None:
    assert "/password/forgotten/" in browser.get("/sign-in/").content.decode()


@pytest.mark.parametrize("email", ["nobody@example.com", "", "not an address", "a" * 300, "vic"])
def test_known_and_unknown_addresses_are_told_alike(browser: Browser, email: str) -> None:
    assert ask(browser, email) == ask(browser, "alice@example.com")
    assert Message.objects.filter(event="password.reset").count() == 1


def test_the_link_sets_a_new_password_once(world: World, browser: Browser) -> None:
    there, link = open_door("quite-a-long-one"), the_link(browser)
    assert there.get("/").status_code == 200
    moved = browser.get(link)
    form = moved["Location"]
    assert "set-password" in form  # the secret leaves the address
    weak = browser.post(form, {"new_password1": "short", "new_password2": "short"})
    assert (weak.status_code, 'id="w-new_password2"' in weak.content.decode()) == (422, True)
    assert (
        browser.post(form, {"new_password1": NEW, "new_password2": NEW})["Location"]
        == "/password/reset/done/"
    )
    # nobody is signed in by it, and everybody is signed out
    assert browser.get("/").status_code == 302
    assert there.get("/").status_code == 302
    assert not Visit.objects.filter(user=world.alice).exists()
    assert open_door(NEW).get("/").status_code == 200
    assert Browser().get(link).status_code == 404


def test_who_is_signed_in_here_is_signed_out_too(browser: Browser) -> None:
    here = open_door("quite-a-long-one")  # before: signing in makes a link of before worthless
    link = the_link(browser)
    form = here.get(link)["Location"]
    assert here.post(form, {"new_password1": NEW, "new_password2": NEW}).status_code == 302
    assert here.get("/").status_code == 302


def test_a_link_grows_old(browser: Browser, settings: object) -> None:
    link = the_link(browser)
    settings.PASSWORD_RESET_TIMEOUT = -1  # type: ignore[attr-defined]
    answer = browser.get(link)
    assert (answer.status_code, "opens nothing" in answer.content.decode()) == (404, True)
    assert answer["X-Robots-Tag"] == "noindex, nofollow"


def test_nobodys_mailbox_is_filled(browser: Browser) -> None:
    for _ in range(5):
        ask(browser, "ALICE@example.com")
    assert Message.objects.count() == 1
    Message.objects.update(created_at=timezone.now() - timedelta(minutes=6))
    ask(browser, "alice@example.com")
    assert Message.objects.count() == 2


def test_the_secret_lies_nowhere_in_the_open(browser: Browser) -> None:
    ask(browser, "alice@example.com")
    assert "/password/reset/" not in str(Message.objects.values())
    send_due_messages()
    assert bytes(Message.objects.get().text_sealed) == b""


def test_whose_account_is_closed_gets_none(browser: Browser) -> None:
    User.objects.filter(username="alice").update(is_active=False)
    ask(browser, "alice@example.com")
    assert Message.objects.count() == 0

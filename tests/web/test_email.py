"""Another e-mail address counts when its owner has opened the link that was sent there."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail

from once_delivery.accounts.models import User
from once_delivery.accounts.services import change_email
from once_delivery.notices.models import Message
from once_delivery.notices.services.send_due import send_due_messages
from tests.web.conftest import World, signed_in

pytestmark = pytest.mark.django_db(transaction=True)
DETAILS = {"name": "爱丽", "email": "new@example.com", "language": "en", "timezone": ""}


def email_of(name: str) -> str:
    return User.objects.get(username=name).email


@pytest.fixture
def link(world: World, settings: Any) -> str:
    settings.EMAIL_HOST = "mail.example.com"
    User.objects.filter(username="alice").update(email="old@example.com")
    browser = signed_in(world.alice, confirmed=True)
    page = browser.post("/account/", DETAILS, follow=True).content.decode()
    assert "A link was sent to new@example.com." in page
    assert email_of("alice") == "old@example.com"
    assert "/account/email/" not in str(Message.objects.values())  # sealed on its way
    send_due_messages()
    assert mail.outbox[-1].to == ["new@example.com"]
    found = re.search(r"http://localhost:8000(/account/email/\S+)", str(mail.outbox[-1].body))
    assert found is not None
    return found[1]


def test_opening_it_asks_and_a_button_takes_it_once(world: World, link: str) -> None:
    browser = signed_in(world.alice)
    assert "new@example.com" in browser.get(link).content.decode()
    assert email_of("alice") == "old@example.com"  # a program that opens links has changed nothing
    assert browser.post(link)["Location"] == "/account/"
    assert email_of("alice") == "new@example.com"
    assert (browser.get(link).status_code, browser.post(link).status_code) == (404, 404)


def test_it_is_good_for_nobody_else_and_not_for_ever(
    world: World, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert signed_in(world.vic).post(link).status_code == 404
    assert signed_in(world.alice).post(f"{link[:-2]}x/").status_code == 404
    monkeypatch.setattr(change_email, "VALID_FOR", timedelta(seconds=-1))
    assert signed_in(world.alice).post(link).status_code == 404
    assert (email_of("alice"), email_of("vic")) == ("old@example.com", "")


def test_an_older_link_is_over_when_the_address_has_changed(world: World, link: str) -> None:
    User.objects.filter(username="alice").update(email="third@example.com")
    assert signed_in(world.alice).post(link).status_code == 404

"""A form has one effect: a double click, the back button, a page that is sent again."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client as Browser
from django.utils import timezone

from once_delivery.accounts.models import ApiToken, Invitation, Role
from once_delivery.intake.models import Upload
from once_delivery.notices.models import Message, Route
from once_delivery.review.models import ApprovalLink, Comment
from once_delivery.ui.models import FormSent
from tests.web.conftest import World, signed_in
from tests.web.uploads import GOOD

TOKENS = "/projects/aurora/tokens/"
TOKEN = {"name": "n8n", "role": "ops_owner", "days": "30"}


@pytest.fixture
def admin(world: World) -> Browser:
    return signed_in(world.people[Role.ADMIN], confirmed=True)


def nonce_of(browser: Browser, page: str) -> str:
    found = re.findall(r'name="one_effect" value="([\w-]{36})"', browser.get(page).content.decode())
    assert found
    return str(found[-1])


def twice(browser: Browser, page: str, form: dict[str, Any], *, at: str = "") -> list[tuple[int, str]]:
    data = form | {"one_effect": nonce_of(browser, page)}
    answers = [browser.post(at or page, data) for _ in range(2)]
    return [(one.status_code, one.get("Location", "")) for one in answers]


def test_a_token_is_made_once_and_still_shown(admin: Browser) -> None:
    assert twice(admin, TOKENS, TOKEN) == [(302, TOKENS)] * 2
    assert ApiToken.objects.count() == 1
    assert "data-copy" in admin.get(TOKENS).content.decode()
    twice(admin, TOKENS, TOKEN)  # another form, of another page
    assert ApiToken.objects.count() == 2


@pytest.mark.parametrize(
    ("page", "form", "model"),
    [
        ("invitations", {"email": "lee@example.com", "role": "viewer", "language": "en"}, Invitation),
        ("notices", {"channel": "email", "address": "ops@example.com", "events": ["case.opened"]}, Route),
    ],
)
def test_other_forms_of_the_admin(admin: Browser, page: str, form: dict[str, Any], model: Any) -> None:
    address = f"/projects/aurora/{page}/"
    assert twice(admin, address, form) == [(302, address)] * 2
    assert model.objects.count() == 1
    assert Message.objects.count() <= 1


def test_what_was_refused_may_be_sent_again(admin: Browser) -> None:
    data = TOKEN | {"one_effect": nonce_of(admin, TOKENS)}
    assert admin.post(TOKENS, data | {"days": "0"}).status_code == 422
    assert admin.post(TOKENS, data).status_code == 302
    assert ApiToken.objects.count() == 1


def test_who_must_confirm_first_sends_it_again_afterwards(world: World) -> None:
    person = world.people[Role.ADMIN]
    data = TOKEN | {"one_effect": nonce_of(signed_in(person, confirmed=True), TOKENS)}
    assert signed_in(person).post(TOKENS, data)["Location"].startswith("/confirm/")
    assert signed_in(person, confirmed=True).post(TOKENS, data).status_code == 302
    assert ApiToken.objects.count() == 1


def test_a_comment_and_a_link_of_a_draft(world: World) -> None:
    page = f"/review/{world.action('confirmed').task.uuid}/"
    lead = signed_in(world.people[Role.MARKETING_LEAD], confirmed=True)
    twice(lead, page, {"text": "Shorter."}, at=f"{page}comments/")
    twice(lead, page, {"approver": "Legal", "days": "7"}, at=f"{page}links/")
    assert (Comment.objects.count(), ApprovalLink.objects.count()) == (1, 1)


def test_a_file_that_is_sent_twice_is_kept_once(world: World) -> None:
    browser, page = signed_in(world.alice), "/batches/import/"
    number = nonce_of(browser, page)
    goals = []
    for _ in range(2):
        file = SimpleUploadedFile("winter.csv", GOOD)
        form = {"project": world.project.code, "file": file, "one_effect": number}
        goals.append(browser.post(page, form)["Location"])
    assert goals == [f"{page}{Upload.objects.get().uuid}/"] * 2


def test_a_link_needs_who_has_just_shown_who_they_are(world: World) -> None:
    page = f"/review/{world.action('confirmed').task.uuid}/"
    lead = signed_in(world.people[Role.MARKETING_LEAD])
    assert "Make the link" not in lead.get(page).content.decode()
    answer = lead.post(f"{page}links/", {"approver": "Legal", "days": "7"})
    assert answer["Location"] == f"/confirm/?next={page.replace('/', '%2F')}"
    assert not ApprovalLink.objects.exists()


def test_another_persons_form_is_another_form_and_old_ones_are_forgotten(
    world: World, admin: Browser
) -> None:
    data = TOKEN | {"one_effect": nonce_of(admin, TOKENS)}
    admin.post(TOKENS, data)
    FormSent.objects.update(at=timezone.now() - timedelta(days=2))
    admin.post(TOKENS, TOKEN | {"one_effect": nonce_of(admin, TOKENS)})
    assert FormSent.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_at_once(world: World) -> None:
    person = world.people[Role.ADMIN]
    browsers = [signed_in(person, confirmed=True) for _ in range(2)]
    data = TOKEN | {"one_effect": nonce_of(browsers[0], TOKENS)}

    def send(browser: Browser) -> str:
        try:
            return str(browser.post(TOKENS, data)["Location"])
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(send, browsers)) == [TOKENS, TOKENS]
    assert ApiToken.objects.count() == 1

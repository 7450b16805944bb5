"""A project's API tokens: shown once, listed, revoked."""

from __future__ import annotations

import re

import pytest
from django.test import Client as Browser

from once_delivery.accounts.models import ApiToken, Role
from once_delivery.accounts.services.api_tokens import make_token, token_of
from tests.web.conftest import World, signed_in

HERE = "/projects/aurora/tokens/"
GOOD = {"name": "n8n", "role": "ops_owner", "days": "30"}


@pytest.fixture
def admin(world: World) -> Browser:
    return signed_in(world.people[Role.ADMIN], confirmed=True)


def test_the_secret_is_shown_once(world: World, admin: Browser) -> None:
    assert admin.post(HERE, GOOD)["Location"] == HERE
    kept = str(dict(admin.session))
    html = admin.get(HERE).content.decode()
    found = re.search(r'data-copy="(once_[\w-]+)"', html)
    assert found is not None
    token = token_of(found[1])
    assert token is not None
    assert (token.name, token.role, token.project) == ("n8n", Role.OPS_OWNER, world.project)
    assert found[1] not in kept  # sealed on the way from one page to the next
    again = admin.get(HERE).content.decode()
    assert (found[1] in again, token.beginning in again) == (False, True)
    assert ApiToken.objects.count() == 1


def test_it_is_shown_on_the_page_of_its_project_alone(world: World, admin: Browser) -> None:
    admin.post(HERE, GOOD)
    assert "data-copy" not in admin.get("/projects/aurora/notices/").content.decode()
    assert "data-copy" in admin.get(HERE).content.decode()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", ""),
        ("role", "king"),
        ("days", "0"),
        ("days", "367"),
        ("days", "-1"),
        ("days", "ten"),
        ("days", "٣"),
    ],
)
def test_bad_tokens_keep_what_was_typed(admin: Browser, name: str, value: str) -> None:
    answer = admin.post(HERE, GOOD | {name: value})
    beside = "days" if name == "days" else "name"  # no form offers another role
    assert (answer.status_code, f'id="w-{beside}"' in answer.content.decode()) == (422, True)
    assert ApiToken.objects.count() == 0


def test_revoking(world: World, admin: Browser) -> None:
    token, secret = make_token(
        project=world.project, name="old", role="viewer", days=1, user=world.people[Role.ADMIN]
    )
    assert admin.post(HERE, {"act": "revoke", "token": str(token.uuid)}).status_code == 302
    assert token_of(secret) is None
    assert "revoked" in admin.get(HERE).content.decode()
    for uuid in ("nonsense", "", "00000000-0000-0000-0000-000000000000"):
        assert admin.post(HERE, {"act": "revoke", "token": uuid}).status_code == 404


def test_who_has_not_confirmed_sees_the_list_and_no_form(world: World) -> None:
    html = signed_in(world.people[Role.ADMIN]).get(HERE).content.decode()
    assert ("Confirm that it is you" in html, 'name="days"' in html) == (True, False)

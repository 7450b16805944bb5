"""What PostgreSQL cannot keep is refused in words at every form, and nothing is half done."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import DataError
from django.test import Client as Browser
from django.test import RequestFactory
from django.urls import reverse

from once_delivery.accounts.models import ApiToken, Role
from once_delivery.config.refusing import RefuseUnstorableMiddleware
from once_delivery.notices.models import Route
from once_delivery.targets.models import Target
from tests.web.access.row import Row
from tests.web.conftest import World, signed_in
from tests.web.test_access import ROWS

NUL = "\0"
_NAMES = re.compile(r'<(?:input|textarea|select)\b[^>]*?\bname="([^"]+)"')
POSTS = [row for row in ROWS if row.method == "post"]
ALWAYS = (
    "name",
    "email",
    "address",
    "content_hash",
    "text",
    "typed",
    "query",
    "code",
    "username",
    "password",
)


def best(world: World, row: Row) -> Browser:
    if row.anonymous not in {302, 404, 405}:
        return Browser()
    role = next(role for role in Role if row.expected(role) == min(row.expected(one) for one in Role))
    return signed_in(world.people[role], confirmed=True)


@pytest.mark.parametrize("row", POSTS, ids=lambda row: row.key)
def test_no_form_answers_nul_with_a_fault_of_ours(world: World, row: Row) -> None:
    browser = best(world, row)
    path = reverse(row.name, args=row.args(world))
    shown = browser.get(path)
    said = shown.content.decode() if shown.status_code == 200 else ""
    given = {name: str(value) for name, value in row.data(world).items()}
    own = {*_NAMES.findall(said), *given} - {"one_effect", "csrfmiddlewaretoken"}
    everything = dict.fromkeys(own.union(ALWAYS), f"a{NUL}") | given
    tries = [everything, *(given | {name: f"{given.get(name, '')}{NUL}"} for name in sorted(own))]
    assert [sorted(one) for one in tries if browser.post(path, one).status_code >= 500] == []


def test_a_forgotten_password_of_nobody(db: None) -> None:
    answer = Browser().post("/password/forgotten/", {"email": NUL}, headers={"accept-language": "zh-CN"})
    assert answer.status_code == 400
    assert "无法读取这个请求" in answer.content.decode()


@pytest.mark.parametrize(
    ("role", "path", "data"),
    [
        (Role.VIEWER, "/account/", {"name": f"Vic{NUL}"}),
        (Role.ADMIN, "/projects/aurora/tokens/", {"name": f"n8n{NUL}", "role": "admin", "days": "9"}),
    ],
)
def test_a_name_with_a_character_that_is_none(
    world: World, role: Role, path: str, data: dict[str, str]
) -> None:
    answer = signed_in(world.people[role], confirmed=True).post(path, data)
    html = answer.content.decode()
    assert answer.status_code == 422
    assert 'id="w-name"' in html
    assert "U+0000" in html
    assert not ApiToken.objects.exists()


def test_a_route_whose_address_is_too_long(world: World) -> None:
    data = {
        "channel": "webhook",
        "address": f"https://hooks.example.com/{'x' * 3000}",
        "events": ["case.opened"],
    }
    answer = signed_in(world.people[Role.ADMIN], confirmed=True).post("/projects/aurora/notices/", data)
    assert (answer.status_code, 'id="w-address"' in answer.content.decode()) == (422, True)
    assert not Route.objects.exists()


def test_a_target_whose_address_is_too_long(world: World) -> None:
    browser = signed_in(world.people[Role.OPS_OWNER], confirmed=True)
    data = {
        "name": "site",
        "base_url": f"https://cms.example.org/{'x' * 3000}",
        "c.token": "t",
        "p.page_type": "shop.ProductPage",
        "p.parent_id": "7",
        "n.guard": "client_id",
        "n.look_up": "true",
        "n.consistency": "strong",
        "n.settle_s": "60",
        "n.concurrency": "4",
    }
    answer = browser.post("/targets/new/?kind=wagtail", data)
    assert answer.status_code == 422
    assert 'id="f-base-url-error">' in answer.content.decode()
    assert not Target.objects.filter(name="site").exists()


@pytest.mark.parametrize(
    "error",
    [
        DataError("text fields cannot contain NUL (0x00) bytes"),
        ValueError("A string literal cannot contain NUL"),
    ],
)
def test_the_net_answers_a_program_with_a_problem(error: Exception) -> None:
    net = RefuseUnstorableMiddleware(lambda _: pytest.fail("not asked"))
    answer: Any = net.process_exception(RequestFactory().post("/api/v1/deliveries"), error)
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert b'"not-storable"' in answer.content


def test_the_net_leaves_our_own_faults_alone() -> None:
    net = RefuseUnstorableMiddleware(lambda _: pytest.fail("not asked"))
    assert net.process_exception(RequestFactory().post("/account/"), ValueError("of ours")) is None


def test_a_body_without_a_length_is_not_taken_for_an_empty_one(db: None) -> None:
    answer = Browser().post(
        "/password/forgotten/", {}, headers={"transfer-encoding": "chunked"}, CONTENT_LENGTH=""
    )
    assert answer.status_code == 411

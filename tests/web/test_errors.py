"""Every refusal is a page in the reader's language, and health is for machines."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client as Browser
from django.test import RequestFactory
from django.utils import translation
from django.views import defaults

from once_delivery.web.views import health
from reconciliation.models import CaseEvent
from tests.web.conftest import World, signed_in
from tests.web.pages import read

TITLES = {
    "400": ("This request cannot be read", "无法读取这个请求"),
    "403": ("This is not yours to do", "你没有这项权限"),
    "404": ("There is nothing here", "这里什么也没有"),
    "500": ("That went wrong on our side", "我们这边出错了"),
}

REFUSALS: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "400": lambda request: defaults.bad_request(request, ValueError()),
    "403": lambda request: defaults.permission_denied(request, ValueError()),
    "404": lambda request: defaults.page_not_found(request, ValueError()),
    "500": defaults.server_error,
}


@pytest.mark.parametrize("code", TITLES)
@pytest.mark.parametrize(("language", "which"), [("en", 0), ("zh-hans", 1)])
def test_each_refusal_in_both_languages(code: str, language: str, which: int) -> None:
    request = RequestFactory().get("/somewhere/")
    with translation.override(language):
        response = REFUSALS[code](request)
    said = read(response.content.decode())
    assert response.status_code == int(code)
    assert TITLES[code][which] in said


def test_a_form_without_its_token_is_a_page_too(world: World) -> None:
    browser = Browser(enforce_csrf_checks=True, headers={"accept-language": "zh-CN"})
    response = browser.post("/sign-in/", {"username": "alice", "password": "quite-a-long-one"})
    assert response.status_code == 403
    assert "这个表单已过期" in response.content.decode()


@pytest.mark.parametrize(
    ("referer", "status"),
    [("http://testserver{page}", 303), ("https://evil.example{page}", 403), ("", 403)],
)
def test_a_form_whose_token_is_over_leads_back_to_its_page(world: World, referer: str, status: int) -> None:
    """Somebody signed out and in again in another tab: nothing is done, and what was typed comes back."""
    page = f"/cases/{world.case.uuid}/"
    browser = Browser(enforce_csrf_checks=True, headers={"accept-language": "en"})
    browser.force_login(world.alice)
    browser.get(page)
    said = {"sec-fetch-mode": "navigate", "referer": referer.format(page=page)}
    data = {"text": "Asked them.", "csrfmiddlewaretoken": "a" * 64}
    answer = browser.post(f"{page}comment/", data, headers=said)
    assert answer.status_code == status
    assert not CaseEvent.objects.filter(case=world.case, text="Asked them.").exists()
    if status == 303:
        assert answer["Location"] == page
    shown = browser.get(page).content.decode()
    assert ("The form had expired, so nothing was done." in shown, "data-refill" in shown) == (
        status == 303,
    ) * 2


def test_an_error_page_asks_nothing_of_the_database() -> None:
    """It may be the database that is gone; without its mark pytest refuses any query here."""
    response = defaults.page_not_found(RequestFactory().get("/x/"), Exception())
    assert response.status_code == 404


def test_ready_says_what_is_missing(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    said = Browser().get("/health/ready").json()
    assert (said["database"], said["migrations"]) == (True, True)
    monkeypatch.setattr(health, "_migrations", lambda: False)
    response = Browser().get("/health/ready")
    assert (response.status_code, response.json()) == (
        503,
        {"database": True, "migrations": False, "late": []},
    )


def test_live_asks_nothing() -> None:
    assert Browser().get("/health/live").content == b"ok"


def test_an_object_that_is_gone_is_not_there(world: World) -> None:
    assert signed_in(world.alice).get("/batches/not-a-uuid/").status_code == 404

"""No page needs what the Content-Security-Policy forbids, and every answer carries the policy."""

from __future__ import annotations

import re

import pytest
from django.test import Client as Browser

from once_delivery.accounts.models import Role
from tests.web.conftest import World, signed_in
from tests.web.pages import addresses, of_finance

FORBIDDEN = {
    "inline style": re.compile(r"<style\b|\sstyle\s*=", re.IGNORECASE),
    "inline script": re.compile(r"<script(?![^>]*\bsrc=)", re.IGNORECASE),
    "event attribute": re.compile(r"<[^>]*\s(on[a-z]+|hx-on[\w:-]*)\s*=", re.IGNORECASE),
    "javascript address": re.compile(r"(href|src|action)=[\"']?\s*javascript:", re.IGNORECASE),
    "foreign source": re.compile(
        r"<(script|link|img|iframe)[^>]*(src|href)=[\"']?(https?:)?//", re.IGNORECASE
    ),
}


def problems(html: str) -> list[str]:
    return [what for what, pattern in FORBIDDEN.items() if pattern.search(html)]


def test_no_page_has_anything_inline(world: World) -> None:
    found = {}
    keeper = world.people[Role.FINANCE]
    visits = [(world.alice, path) for path in addresses(world)] + [
        (keeper, path) for path in of_finance(world)
    ]
    for person, address in visits:
        response = signed_in(person).get(address)
        assert "default-src 'none'" in response["Content-Security-Policy"]
        assert "unsafe" not in response["Content-Security-Policy"]
        found[address] = problems(response.content.decode())
    assert {address: what for address, what in found.items() if what} == {}


@pytest.mark.parametrize(("path", "status"), [("/sign-in/", 200), ("/nowhere/", 404), ("/sign-out/", 405)])
def test_answers_without_a_person_carry_the_policy_too(db: None, path: str, status: int) -> None:
    response = Browser().get(path)
    assert response.status_code == status
    assert "default-src 'none'" in response["Content-Security-Policy"]
    assert problems(response.content.decode()) == []


def test_nothing_of_a_person_is_kept_by_a_cache(world: World) -> None:
    browser = signed_in(world.alice)
    kept = [
        address
        for address in addresses(world)
        if "no-store" not in browser.get(address).get("Cache-Control", "")
    ]
    assert [address for address in kept if not address.startswith("/drills/")] == []


def test_an_address_that_the_target_gave_is_not_believed(world: World) -> None:
    said = signed_in(world.alice).get(f"/cases/{world.case.uuid}/").content.decode()
    assert "8117" in said
    assert "javascript:" not in said


def test_what_a_target_said_is_text(world: World) -> None:
    task = world.case.action.task
    said = signed_in(world.alice).get(f"/tasks/{task.uuid}/").content.decode()
    assert "&lt;b&gt;nothing&lt;/b&gt;" in said

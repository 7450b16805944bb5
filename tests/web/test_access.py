"""Who gets what at every address. An address without a row here fails."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.test import Client as Browser
from django.urls import reverse

from once_delivery.drill.urls import urlpatterns as drill_addresses
from once_delivery.web.urls import urlpatterns as web_addresses
from tests.web.conftest import World, signed_in

SIGN_IN = 302
# name, arguments, method → anonymous, owner, viewer, somebody of another tenant
Args = Callable[[World], list[object]]
ROWS: list[tuple[str, Args, str, tuple[int, int, int, int]]] = [
    ("web:home", lambda w: [], "get", (SIGN_IN, 200, 200, 200)),
    ("web:sign-in", lambda w: [], "get", (200, 302, 302, 302)),
    ("web:sign-out", lambda w: [], "get", (405, 405, 405, 405)),
    ("web:language", lambda w: [], "post", (302, 302, 302, 302)),
    ("web:theme", lambda w: [], "post", (302, 302, 302, 302)),
    ("web:batches", lambda w: [], "get", (SIGN_IN, 200, 200, 200)),
    ("web:batch", lambda w: [w.batch.uuid], "get", (SIGN_IN, 200, 200, 404)),
    ("web:resume", lambda w: [w.batch.uuid], "get", (SIGN_IN, 200, 200, 404)),
    ("web:resume", lambda w: [w.batch.uuid], "post", (SIGN_IN, 409, 403, 404)),
    ("web:task", lambda w: [w.action("confirmed").task.uuid], "get", (SIGN_IN, 200, 200, 404)),
    ("web:cases", lambda w: [], "get", (SIGN_IN, 200, 200, 200)),
    ("web:case", lambda w: [w.case.uuid], "get", (SIGN_IN, 200, 200, 404)),
    ("web:live", lambda w: [], "get", (200, 200, 200, 200)),
    ("web:ready", lambda w: [], "get", (200, 200, 200, 200)),
    ("drill:list", lambda w: [], "get", (SIGN_IN, 200, 200, 200)),
    ("drill:report", lambda w: [w.drill.uuid], "get", (SIGN_IN, 200, 200, 404)),
    ("drill:json", lambda w: [w.drill.uuid], "get", (SIGN_IN, 200, 200, 404)),
    ("drill:file", lambda w: [w.drill.uuid], "get", (SIGN_IN, 200, 200, 404)),
]


@pytest.mark.parametrize(
    ("name", "args", "method", "expected"), ROWS, ids=[f"{row[0]} {row[2]}" for row in ROWS]
)
def test_each_address_for_each_person(
    world: World, name: str, args: Args, method: str, expected: tuple[int, int, int, int]
) -> None:
    path = reverse(name, args=args(world))
    browsers = (Browser(), *(signed_in(user) for user in (world.alice, world.vic, world.charlie)))

    assert tuple(getattr(browser, method)(path).status_code for browser in browsers) == expected


def test_every_address_has_a_row() -> None:
    patterns = {"web": web_addresses, "drill": drill_addresses}
    names = {f"{app}:{getattr(one, 'name', '')}" for app, found in patterns.items() for one in found}
    assert names == {row[0] for row in ROWS}


@pytest.mark.parametrize("name", ["web:batch", "web:resume", "web:task", "web:case"])
def test_foreign_and_missing_look_the_same(world: World, name: str) -> None:
    theirs = {
        "web:batch": world.batch.uuid,
        "web:resume": world.batch.uuid,
        "web:task": world.action("confirmed").task.uuid,
        "web:case": world.case.uuid,
    }[name]
    browser = signed_in(world.charlie)

    foreign = browser.get(reverse(name, args=[theirs]))
    missing = browser.get(reverse(name, args=[uuid4()]))

    assert (foreign.status_code, foreign.content) == (404, missing.content)


def test_lists_name_nothing_of_another_tenant(world: World) -> None:
    browser = signed_in(world.charlie)
    for path in (
        "/",
        "/batches/",
        "/cases/",
        "/cases/?view=resolved",
        "/drills/",
        "/batches/?project=aurora",
    ):
        said = browser.get(path).content.decode()
        assert [
            word
            for word in ("极光", "aurora-", "爱丽", str(world.batch.uuid), str(world.case.uuid))
            if word in said
        ] == []


def test_who_belongs_to_no_project_sees_none(world: World) -> None:
    browser = signed_in(world.nobody)
    assert "not a member of any project" in browser.get("/").content.decode()
    assert world.batch.name not in browser.get("/batches/").content.decode()

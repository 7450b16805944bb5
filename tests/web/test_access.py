"""Who gets what at every address: each role, another tenant, nobody. An address without a row fails (R14)."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client as Browser
from django.urls import reverse
from django_otp.plugins.otp_totp.models import TOTPDevice

from once_delivery.accounts.models import Role, User
from once_delivery.drill.urls import urlpatterns as drill_addresses
from once_delivery.vendor_drill.urls import urlpatterns as vendor_addresses
from once_delivery.web.urls import urlpatterns as web_addresses
from tests.web.access import cases, deliveries, doors, drills, finance, people, review, targets, vendor_drills
from tests.web.access import help as help_pages
from tests.web.access.row import Row
from tests.web.conftest import World, signed_in

ROWS: list[Row] = [
    row
    for part in (
        doors,
        deliveries,
        cases,
        review,
        targets,
        finance,
        people,
        drills,
        vendor_drills,
        help_pages,
    )
    for row in part.ROWS
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.key)
def test_each_address_for_each_person(world: World, row: Row) -> None:
    path = reverse(row.name, args=row.args(world))
    data = row.data(world)

    def status(browser: Browser) -> int:
        return int(getattr(browser, row.method)(path, data).status_code)

    def entered(user: User) -> Browser:
        return signed_in(user, confirmed=row.confirmed)

    # whoever may least comes first, so that what is done by one cannot change what the next one gets
    given = {"anonymous": status(Browser()), "stranger": status(entered(world.charlie))}
    roles = sorted(Role, key=row.expected, reverse=True)
    given |= {str(role): status(entered(world.people[role])) for role in roles}

    wanted = {"anonymous": row.anonymous, "stranger": row.stranger}
    wanted |= {str(role): row.expected(role) for role in Role}
    assert given == wanted


WITHOUT_FACTOR = {
    "web:sign-in", "web:sign-out", "web:second-factor", "web:second-factor-setup", "web:language", "web:theme",
    "web:live", "web:ready", "web:metrics", "web:approve", "web:approve-image",
    "web:invitation", "web:forgotten", "web:reset-sent", "web:reset", "web:reset-done",
}  # fmt: skip


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.name not in WITHOUT_FACTOR], ids=lambda row: row.key
)
def test_no_address_opens_without_the_second_factor(world: World, row: Row) -> None:
    best = next(role for role in Role if row.expected(role) == min(row.expected(one) for one in Role))
    TOTPDevice.objects.create(user=world.people[best], confirmed=True)
    browser = signed_in(world.people[best])
    answer = getattr(browser, row.method)(reverse(row.name, args=row.args(world)), row.data(world))
    assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/second-factor/")


def test_every_address_has_a_row() -> None:
    names = {f"web:{getattr(one, 'name', '')}" for one in web_addresses}
    names |= {f"drill:{getattr(one, 'name', '')}" for one in drill_addresses}
    names |= {f"vendor_drill:{getattr(one, 'name', '')}" for one in vendor_addresses}
    assert names == {row.name for row in ROWS}


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

"""Where a project's events go, and the outbox."""

from __future__ import annotations

import re

import pytest
from django.test import Client as Browser
from django.utils import timezone

from once_delivery.accounts.models import Role
from once_delivery.notices.models import Event, Message, Route
from once_delivery.notices.services.routes import add_route
from once_delivery.notices.services.send_test import send_test
from tests.web.conftest import World, signed_in

HERE, OUTBOX = "/projects/aurora/notices/", "/projects/aurora/outbox/"
EMAIL = {"channel": "email", "address": "team@example.com", "events": ["case.opened", "case.overdue"]}
HOOK = {"channel": "webhook", "address": "https://hooks.example.com/x", "events": ["case.opened"]}


@pytest.fixture
def admin(world: World) -> Browser:
    return signed_in(world.people[Role.ADMIN], confirmed=True)


@pytest.fixture
def route(world: World) -> Route:
    made, _ = add_route(project=world.project, **EMAIL, user=world.people[Role.ADMIN])  # type: ignore[arg-type]
    return made


def given_up(route: Route, world: World) -> Message:
    message = send_test(route=route, user=world.people[Role.ADMIN])
    Message.objects.filter(pk=message.pk).update(
        next_try_at=None, given_up_at=timezone.now(), error="http-503", tries=9
    )
    return message


def test_an_e_mail_route(world: World, admin: Browser) -> None:
    assert admin.post(HERE, EMAIL)["Location"] == HERE
    html = admin.get(HERE).content.decode()
    assert ("team@example.com" in html, "a case is overdue" in html, "data-copy" in html) == (
        True,
        True,
        False,
    )


def test_the_secret_of_a_webhook_is_shown_once(admin: Browser) -> None:
    admin.post(HERE, HOOK)
    assert re.search(r'data-copy="whsec_[\w+/=]+"', admin.get(HERE).content.decode())
    assert "whsec_" not in admin.get(HERE).content.decode()


@pytest.mark.parametrize(
    "change",
    [
        {"address": "nobody"},
        {"events": []},
        {"events": ["case.eaten"]},
        {"events": ["password.reset"]},
        {"events": ["route.test"]},
        {"channel": "pigeon"},
        {"channel": "webhook"},
    ],
)
def test_bad_routes_keep_what_was_typed(admin: Browser, change: dict[str, object]) -> None:
    answer = admin.post(HERE, {**EMAIL, **change})
    html = answer.content.decode()
    beside = "events" if "events" in change else "address"
    assert (answer.status_code, f'id="w-{beside}"' in html) == (422, True)
    assert str({**EMAIL, **change}["address"]) in html
    assert Route.objects.count() == 0


def test_a_test_goes_to_this_route_alone(world: World, admin: Browser, route: Route) -> None:
    add_route(project=world.project, **HOOK, user=world.people[Role.ADMIN])  # type: ignore[arg-type]
    assert admin.post(HERE, {"act": "test", "route": str(route.uuid)})["Location"] == OUTBOX
    message = Message.objects.get(event=Event.ROUTE_TEST)
    assert (message.address, message.next_try_at is not None) == ("team@example.com", True)
    assert "a test of this route" in admin.get(OUTBOX).content.decode()


def test_removing(admin: Browser, route: Route) -> None:
    admin.post(HERE, {"act": "remove", "route": str(route.uuid)})
    assert Route.objects.count() == 0


@pytest.mark.parametrize("act", ["test", "remove"])
def test_another_projects_route_is_not_there(world: World, route: Route, act: str) -> None:
    world.charlie.memberships.update(role=Role.ADMIN)
    charlie = signed_in(world.charlie, confirmed=True)
    for path in (HERE, "/projects/borealis/notices/"):
        for uuid in (str(route.uuid), "nonsense", ""):
            assert charlie.post(path, {"act": act, "route": uuid}).status_code == 404
    assert Route.objects.count() == 1
    assert not Message.objects.filter(event=Event.ROUTE_TEST).exists()


def test_what_was_given_up_says_why_and_is_tried_again(world: World, admin: Browser, route: Route) -> None:
    message = given_up(route, world)
    html = admin.get(f"{OUTBOX}?view=given-up").content.decode()
    assert ("the receiver answered HTTP 503" in html, "Try again" in html) == (True, True)
    assert admin.post(OUTBOX, {"message": str(message.uuid)})["Location"] == OUTBOX
    message.refresh_from_db()
    assert (message.given_up_at, message.next_try_at is not None) == (None, True)
    twice = admin.post(OUTBOX, {"message": str(message.uuid)}, follow=True).content.decode()
    assert "not given up any more" in twice


def test_another_projects_message_is_not_tried_again(world: World, route: Route) -> None:
    message = given_up(route, world)
    world.charlie.memberships.update(role=Role.ADMIN)
    charlie = signed_in(world.charlie, confirmed=True)
    path = "/projects/borealis/outbox/"
    assert charlie.post(path, {"message": str(message.uuid)}).status_code == 404
    assert "team@example.com" not in charlie.get(path).content.decode()
    message.refresh_from_db()
    assert message.given_up_at is not None


@pytest.mark.parametrize("view", ["all", "waiting", "sent", "given-up", "nonsense"])
def test_views_of_the_outbox(world: World, admin: Browser, route: Route, view: str) -> None:
    Message.objects.all().delete()
    message = given_up(route, world)
    shown = str(message.uuid) in admin.get(f"{OUTBOX}?view={view}").content.decode()
    assert shown == (view not in {"waiting", "sent"})


def test_without_a_mail_server_it_is_said_where_they_lie(admin: Browser, settings: object) -> None:
    settings.EMAIL_HOST, settings.EMAIL_FILE_PATH = "", "/var/once/mail"  # type: ignore[attr-defined]
    assert "/var/once/mail" in admin.get(OUTBOX).content.decode()
    settings.EMAIL_HOST = "mail.example.com"  # type: ignore[attr-defined]
    assert "No mail server" not in admin.get(OUTBOX).content.decode()

"""Messages: written with what happened, sent, tried again, given up, taken up again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy
from pytest_django.fixtures import Settings

from once_delivery.accounts.models import Membership, Project, Role, User
from once_delivery.common.errors import DomainError
from once_delivery.notices.models import Channel, Event, Message, Route
from once_delivery.notices.services.announce import announce
from once_delivery.notices.services.routes import BadRouteError, add_route, remove_route
from once_delivery.notices.services.send_due import PAUSES_S, send_due_messages
from once_delivery.notices.services.try_again import try_again
from once_delivery.notices.signing import is_signed, new_webhook_secret, signed_headers
from once_delivery.notices.wording import written
from tests.builders import a_project, a_user
from tests.notices.receiver import Receiver

pytestmark = pytest.mark.django_db(transaction=True)
DATA = {
    "task": "kettle › de-DE", "target": "cms", "reason": "r", "due": "2026-12-01 10:00", "path": "/cases/1/",
    "owner": "ops", "by": "ops", "words": "", "effect": "e", "role": "viewer", "days": 7, "email": "e@example.com",
    "name": "ada", "hours": 2,
}  # fmt: skip


@pytest.fixture
def project() -> Project:
    return a_project()


@pytest.fixture
def admin(project: Project) -> User:
    user = a_user("ada")
    Membership.objects.create(project=project, user=user, role=Role.ADMIN)
    return user


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    settings.WEBHOOKS_MAY_GO_INSIDE = True
    with Receiver() as receiver:
        yield receiver


def opened(project: Project, **changes: Any) -> list[Message]:
    return announce(project=project, event=Event.CASE_OPENED, data=DATA, **changes)


def hooked(project: Project, admin: User, receiver: Receiver, *events: str) -> str:
    _, secret = add_route(
        project=project,
        channel="webhook",
        address=receiver.address,
        events=events or (Event.CASE_OPENED,),
        user=admin,
    )
    return secret


def due_now() -> None:
    Message.objects.filter(next_try_at__isnull=False).update(next_try_at=timezone.now())


def test_people_are_written_to_in_their_language(project: Project) -> None:
    people = []
    for name, language in (("li", "zh-hans"), ("lee", "en")):
        people.append(a_user(name))
        User.objects.filter(username=name).update(email=f"{name}@example.com", language=language)
        people[-1].refresh_from_db()
    opened(project, people=[*people, a_user("without-address")])
    assert send_due_messages() == 2
    assert {one.to[0]: one.subject for one in mail.outbox} == {
        "li@example.com": "有一项待核对事项等待处理：kettle › de-DE",
        "lee@example.com": "A case waits for you: kettle › de-DE",
    }
    assert all("http://localhost:8000/cases/1/" in one.body for one in mail.outbox)
    assert set(Message.objects.values_list("tries", "error", "next_try_at")) == {(1, "", None)}


def test_words_are_said_in_the_language_of_each_reader(project: Project, admin: User) -> None:
    """Whatever language the process speaks that announces: a worker speaks the house's."""
    people = []
    for name, language in (("li", "zh-hans"), ("lee", "en")):
        person = a_user(name)
        person.email, person.language = f"{name}@example.com", language
        person.save()
        people.append(person)
    add_route(
        project=project,
        channel="webhook",
        address="https://hooks.example.com/x",
        events=[Event.CASE_OPENED],
        user=admin,
    )
    with translation.override("zh-hans"):
        opened_with = {**DATA, "reason": gettext_lazy("the client approved")}
        announce(project=project, event=Event.CASE_OPENED, data=opened_with, people=people)
    texts = dict(Message.objects.values_list("address", "text"))
    assert "the client approved" in texts["lee@example.com"]
    assert "客户" in texts["li@example.com"]
    assert "the client approved" not in texts["li@example.com"]
    # the tests' house speaks English
    assert {one.data["reason"] for one in Message.objects.all()} == {"the client approved"}


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("event", Event.values)
def test_every_event_has_its_words(event: str, language: str) -> None:
    subject, text = written(event, {**DATA, "project": "Aurora"}, language=language)
    assert subject
    # a new password or address is about a person, whatever projects they are in
    assert ("Aurora" in subject + text) == (event not in {Event.PASSWORD_RESET, Event.EMAIL_CHANGE})
    assert "{{" not in subject + text
    assert "&" not in text


def test_a_webhook_is_signed(project: Project, admin: User, receiver: Receiver) -> None:
    secret = hooked(project, admin, receiver)
    (message,) = opened(project)
    send_due_messages()
    (got,) = receiver.got
    assert is_signed(secret=secret, headers=got.headers, body=got.body, now=timezone.now())
    assert not is_signed(secret=secret, headers=got.headers, body=got.body + b" ", now=timezone.now())
    late = timezone.now() + timedelta(minutes=6)
    assert not is_signed(secret=secret, headers=got.headers, body=got.body, now=late)
    other = new_webhook_secret()
    assert not is_signed(secret=other, headers=got.headers, body=got.body, now=timezone.now())
    assert got.headers["webhook-id"] == str(message.uuid)
    assert json.loads(got.body)["data"] == DATA
    assert secret not in str(Route.objects.values())


def test_the_example_of_the_specification() -> None:
    """Standard Webhooks: the key is base64, what is signed is id.timestamp.body."""
    from datetime import UTC, datetime

    at = datetime.fromtimestamp(1614265330, UTC)
    headers = signed_headers(
        secret="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        message_id="msg_p5jXN8AQM9LWM0D4loKWxJek",
        at=at,
        body=b'{"test": 2432232314}',
    )
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_events_that_nobody_chose_go_nowhere(project: Project, admin: User, receiver: Receiver) -> None:
    hooked(project, admin, receiver, Event.CASE_OVERDUE)
    hooked_elsewhere = a_project("other")
    Membership.objects.create(project=hooked_elsewhere, user=admin, role=Role.ADMIN)
    hooked(hooked_elsewhere, admin, receiver)
    assert opened(project) == []
    assert send_due_messages() == 0


def test_it_is_tried_again_with_growing_pauses_and_then_given_up(
    project: Project, admin: User, receiver: Receiver
) -> None:
    hooked(project, admin, receiver)
    receiver.statuses = [500] * len(PAUSES_S) + [0]
    opened(project)
    pauses = []
    for _ in range(len(PAUSES_S)):
        begun = timezone.now()
        send_due_messages()
        message = Message.objects.get()
        assert (message.error, message.sent_at) == ("http-500", None)
        assert message.next_try_at is not None
        pauses.append(round((message.next_try_at - begun).total_seconds()))
        assert send_due_messages() == 0
        due_now()
    assert pauses == list(PAUSES_S)
    send_due_messages()
    message = Message.objects.get()
    assert (message.next_try_at, message.given_up_at is not None) == (None, True)
    assert len({got.headers["webhook-id"] for got in receiver.got}) == 1

    assert try_again(message=message)
    send_due_messages()
    message.refresh_from_db()
    assert (message.given_up_at, message.sent_at is not None, message.error) == (None, True, "")

    assert try_again(message=message), "its receiver may have lost it"
    assert not try_again(message=message), "it waits by itself"
    send_due_messages()
    assert len({got.headers["webhook-id"] for got in receiver.got}) == 1


def test_an_endpoint_that_says_it_is_gone(project: Project, admin: User, receiver: Receiver) -> None:
    hooked(project, admin, receiver)
    receiver.statuses = [410]
    opened(project)
    send_due_messages()
    assert Message.objects.get().given_up_at is not None


def test_a_route_that_was_removed(project: Project, admin: User, receiver: Receiver) -> None:
    hooked(project, admin, receiver)
    opened(project)
    remove_route(route=Route.objects.get(), user=admin)
    send_due_messages()
    assert (Message.objects.get().error, receiver.got) == ("route-removed", [])


def test_addresses_inside_are_not_called(
    project: Project, admin: User, receiver: Receiver, settings: Settings
) -> None:
    """A member must not make the house call its own network."""
    hooked(project, admin, receiver)
    settings.WEBHOOKS_MAY_GO_INSIDE = False
    opened(project)
    send_due_messages()
    assert receiver.got == []
    assert Message.objects.get().error


def test_many_senders_send_each_once(project: Project, admin: User, receiver: Receiver) -> None:
    hooked(project, admin, receiver)
    for _ in range(20):
        opened(project)

    def send(_: int) -> int:
        try:
            return send_due_messages()
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        tried = sum(pool.map(send, range(4)))
    assert (tried, len(receiver.got)) == (20, 20)


@pytest.mark.parametrize(
    ("channel", "address", "events"),
    [
        ("email", "nobody", ["case.opened"]),
        ("email", "a@example.com", []),
        ("email", "a@example.com", ["case.eaten"]),
        ("webhook", "ftp://example.com", ["case.opened"]),
        ("webhook", "", ["case.opened"]),
        ("pigeon", "a@example.com", ["case.opened"]),
    ],
)
def test_bad_routes(project: Project, admin: User, channel: str, address: str, events: list[str]) -> None:
    with pytest.raises(BadRouteError, match="bad-route") as refused:
        add_route(project=project, channel=channel, address=address, events=events, user=admin)
    assert refused.value.field == ("address" if events == ["case.opened"] else "events")
    with pytest.raises(DomainError, match="not-admin"):
        add_route(
            project=project,
            channel="email",
            address="a@example.com",
            events=["case.opened"],
            user=a_user("ops"),
        )
    assert Route.objects.count() == 0


def test_an_address_again_is_the_same_route(project: Project, admin: User) -> None:
    for events in (["case.opened"], ["case.overdue", "case.half"]):
        add_route(project=project, channel=Channel.EMAIL, address="a@example.com", events=events, user=admin)
    assert Route.objects.get().events == ["case.half", "case.overdue"]

"""Links that open a door: sealed while they wait, gone when they were sent, and on no route."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from django.core import mail
from pytest_django.fixtures import Settings

from once_delivery.accounts.models import Membership, Project, Role, User
from once_delivery.common.errors import DomainError
from once_delivery.notices.models import Channel, Event, Message
from once_delivery.notices.services.announce_invitation import invite_by_mail
from once_delivery.notices.services.routes import add_route
from once_delivery.notices.services.send_due import send_due_messages
from once_delivery.notices.services.send_test import send_test
from once_delivery.notices.signing import is_signed
from tests.builders import a_project, a_user
from tests.notices.receiver import Receiver

pytestmark = pytest.mark.django_db(transaction=True)


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


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_no_route_carries_the_link(project: Project, admin: User, receiver: Receiver, language: str) -> None:
    for channel, address in ((Channel.WEBHOOK, receiver.address), (Channel.EMAIL, "team@example.com")):
        add_route(project=project, channel=channel, address=address, events=[Event.INVITED], user=admin)
    _, secret = invite_by_mail(
        project=project, email="lee@example.com", role="finance", language=language, user=admin
    )
    assert secret not in str(Message.objects.values())
    assert send_due_messages() == 3
    letters = {letter.to[0]: letter.body for letter in mail.outbox}
    assert f"/invitation/{secret}/" in letters["lee@example.com"]
    assert "/invitation/" not in letters["team@example.com"]
    assert "lee@example.com" in letters["team@example.com"]
    (got,) = receiver.got
    assert secret not in got.body.decode()
    assert json.loads(got.body)["data"]["email"] == "lee@example.com"
    assert {bytes(one.text_sealed) for one in Message.objects.all()} == {b""}


def test_a_refused_invitation_tells_nobody(project: Project, admin: User) -> None:
    for email, role, user in (("no", "viewer", admin), ("a@example.com", "viewer", a_user("ops"))):
        with pytest.raises(DomainError):
            invite_by_mail(project=project, email=email, role=role, language="en", user=user)
    assert Message.objects.count() == 0


def test_a_text_that_cannot_be_opened_waits_for_its_key(
    project: Project, admin: User, settings: Settings
) -> None:
    invite_by_mail(project=project, email="lee@example.com", role="viewer", language="en", user=admin)
    Message.objects.update(text_sealed=b"1:damaged")
    send_due_messages()
    message = Message.objects.get()
    assert (message.error, message.sent_at, mail.outbox) == ("secret-unreadable", None, [])


def test_a_test_of_a_webhook_is_signed(project: Project, admin: User, receiver: Receiver) -> None:
    route, secret = add_route(
        project=project, channel="webhook", address=receiver.address, events=["case.opened"], user=admin
    )
    with pytest.raises(DomainError, match="not-admin"):
        send_test(route=route, user=a_user("ops"))
    message = send_test(route=route, user=admin)
    send_due_messages()
    (got,) = receiver.got
    assert json.loads(got.body)["type"] == "route.test"
    assert is_signed(secret=secret, headers=got.headers, body=got.body, now=message.created_at)

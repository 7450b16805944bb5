"""A receiver or a mail server that says nothing costs one wait, and nobody else anything; who lost their hold changes nothing."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone
from pytest_django.fixtures import Settings

from once_delivery.accounts.models import Membership, Project, Role, User
from once_delivery.notices import silences
from once_delivery.notices.models import Channel, Event, Message
from once_delivery.notices.services import hand_over, send_due
from once_delivery.notices.services.announce import announce
from once_delivery.notices.services.routes import add_route
from once_delivery.notices.services.send_due import PAUSES_S, send_due_messages
from once_delivery.notices.silences import Silences
from tests.builders import a_project, a_user
from tests.fakes.rival import elsewhere, run_after
from tests.fakes.scripted_server import Received, ScriptedServer, answered, serving, silent
from tests.notices.receiver import Receiver

pytestmark = pytest.mark.django_db(transaction=True)
WAIT_S = 0.5
DATA = {
    "task": "kettle",
    "target": "cms",
    "reason": "r",
    "due": "2026-12-01 10:00",
    "path": "/",
    "owner": "o",
}


@pytest.fixture(autouse=True)
def _waits_are_short(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.WEBHOOKS_MAY_GO_INSIDE = True
    monkeypatch.setattr(hand_over, "DEADLINE_S", WAIT_S)


@pytest.fixture
def admin() -> User:
    return a_user("ada")


@pytest.fixture
def hung() -> Iterator[ScriptedServer]:
    with serving(silent(60)) as server:
        yield server


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        yield receiver


def routed(admin: User, name: str, *addresses: str, channel: str = Channel.WEBHOOK) -> Project:
    project = a_project(name)
    Membership.objects.create(project=project, user=admin, role=Role.ADMIN)
    for address in addresses:
        add_route(project=project, channel=channel, address=address, events=[Event.CASE_OPENED], user=admin)
    return project


def opened(project: Project, times: int = 1) -> None:
    for _ in range(times):
        announce(project=project, event=Event.CASE_OPENED, data=DATA)


def seconds_of_a_run() -> float:
    begun = time.monotonic()
    send_due_messages(silences=Silences())
    return time.monotonic() - begun


def waiting() -> list[tuple[int, str]]:
    return sorted(Message.objects.filter(sent_at=None).values_list("tries", "error"))


def test_a_receiver_that_hangs_costs_one_wait_and_nobody_else(
    admin: User, hung: ScriptedServer, receiver: Receiver
) -> None:
    opened(routed(admin, "dead", hung.url), 60)
    opened(routed(admin, "good", receiver.address), 3)
    opened(routed(admin, "mail", "ops@example.com", channel=Channel.EMAIL), 2)
    assert seconds_of_a_run() < WAIT_S * 5
    assert (len(receiver.got), len(mail.outbox)) == (3, 2)
    assert len(hung.requests) == 1
    # whom it was not tried for has lost no try
    assert waiting() == [(0, "")] * 59 + [(1, "deadline")]


def test_a_mail_server_that_hangs_costs_one_wait_and_nobody_else(
    admin: User, receiver: Receiver, settings: Settings
) -> None:
    opened(routed(admin, "mail", "a@example.com", "b@example.com", channel=Channel.EMAIL), 10)
    opened(routed(admin, "good", receiver.address))
    with serving(silent(60), reads=False) as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", server.port, WAIT_S
        assert seconds_of_a_run() < WAIT_S * 5
        assert server.connections == 1
    assert len(receiver.got) == 1
    assert waiting() == [(0, "")] * 19 + [(1, "SMTPServerDisconnected")]


def test_a_run_ends_in_time_and_leaves_the_rest_due(
    admin: User, hung: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(send_due, "RUN_S", WAIT_S * 1.5)
    opened(routed(admin, "dead", *(f"{hung.url}/{number}" for number in range(12))))
    assert seconds_of_a_run() < WAIT_S * 4
    assert waiting() == [(0, "")] * 10 + [(1, "deadline")] * 2
    assert Message.objects.filter(next_try_at__lte=timezone.now()).count() == 10


def test_two_runs_that_overlap_send_each_once(admin: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where one message takes longer than it is held."""
    monkeypatch.setattr(send_due, "HELD_S", 0.05)
    others: list[int] = []
    rival = elsewhere(lambda: others.append(send_due_messages(silences=Silences())))

    def late(connection: socket.socket, _: Received) -> None:
        time.sleep(0.1)
        rival()
        connection.sendall(answered({}))

    with serving(late, answered({})) as server:
        opened(routed(admin, "good", server.url), 3)
        assert send_due_messages(silences=Silences()) == 3
        ids = [one.headers["webhook-id"] for one in server.requests]
    assert (len(ids), len(set(ids)), others) == (3, 3, [0])


@pytest.mark.parametrize("status", [200, 500])
def test_who_lost_their_hold_changes_nothing(admin: User, receiver: Receiver, status: int) -> None:
    """Somebody else has meanwhile sent it, or tried it and put it off; the others are still sent."""
    later = timezone.now() + timedelta(hours=1)
    over = {"sent_at": later, "next_try_at": None, "error": ""}
    put_off = {"next_try_at": later, "tries": 2, "error": "theirs"}
    theirs = over if status == 500 else put_off

    def meanwhile(connection: socket.socket, received: Received) -> None:
        uuid = received.headers["webhook-id"]
        elsewhere(lambda: Message.objects.filter(uuid=uuid).update(**theirs))()
        connection.sendall(answered({}, status))

    with serving(meanwhile) as server:
        opened(routed(admin, "raced", server.url))
        opened(routed(admin, "good", receiver.address))
        send_due_messages(silences=Silences())
    raced = Message.objects.get(project__code="raced")
    assert {name: getattr(raced, name) for name in theirs} == theirs
    assert len(receiver.got) == 1


def test_what_comes_while_another_run_ends_is_not_left_to_the_next_beat(
    admin: User, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = routed(admin, "good", receiver.address)
    opened(project)
    turned_away: list[int] = []

    def late() -> None:
        opened(project)
        turned_away.append(send_due_messages(silences=Silences()))

    run_after(monkeypatch, "once_delivery.notices.services.send_due._send_until", elsewhere(late))
    assert send_due_messages(silences=Silences()) == 2
    assert (turned_away, len(receiver.got)) == ([0], 2)


def test_a_third_silence_counts_for_all_that_wait_there(
    admin: User, hung: ScriptedServer, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise each of a thousand messages would cost nine waits until it is given up."""
    monkeypatch.setattr(silences, "RESTS_S", (0.0, 0.0, 60.0))
    opened(routed(admin, "dead", hung.url), 6)
    last, before_last = Message.objects.order_by("-pk")[:2]
    Message.objects.filter(pk=last.pk).update(tries=len(PAUSES_S))
    Message.objects.filter(pk=before_last.pk).update(tries=2)
    now = timezone.now()
    send_due_messages(silences=Silences())
    assert len(hung.requests) == 3
    assert waiting() == [(1, "deadline")] * 4 + [(3, "deadline"), (len(PAUSES_S) + 1, "deadline")]
    last.refresh_from_db()
    before_last.refresh_from_db()
    assert last.given_up_at is not None
    assert before_last.next_try_at is not None
    assert before_last.next_try_at - now >= timedelta(seconds=PAUSES_S[2])


def test_a_receiver_that_is_back_gets_all_at_once(admin: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(silences, "RESTS_S", (0.0,))
    with serving(silent(60), answered({})) as server:
        opened(routed(admin, "back", server.url), 5)
        send_due_messages(silences=Silences())
        assert len(server.requests) == 5
    assert waiting() == [(1, "deadline")]


def test_who_was_silent_or_slow_is_asked_after_the_others_and_in_turn() -> None:
    now = 0.0
    known = Silences(clock=lambda: now)
    a, b, c = (("webhook", address) for address in "abc")
    assert [known.silent(a), known.silent(a), known.silent(b)] == [1, 2, 1]
    known.answered(c, after_s=silences.SLOW_S * 2)
    assert (known.doubtful(), known.resting(), known.in_turn()) == ({a, b, c}, {a, b}, [c])
    now = silences.RESTS_S[0]
    assert known.in_turn() == [b, c]
    now = silences.RESTS_S[1]
    assert known.in_turn() == [a, b, c]
    known.answered(a, after_s=silences.SLOW_S * 2)
    assert known.in_turn() == [b, c, a]
    known.answered(b, after_s=0.0)
    assert (known.in_turn(), known.silent(a)) == ([c, a], 1)

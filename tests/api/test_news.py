"""What becomes of a delivery is told to the project's routes, once."""

from __future__ import annotations

import pytest
from django.utils import timezone

from once_delivery.accounts.models import Membership, Project, Role
from once_delivery.ledger.models import News
from once_delivery.ledger.services.tell_news import tell_news
from once_delivery.notices.models import Channel, Message
from once_delivery.notices.services.routes import add_route
from once_delivery.notices.services.try_again import try_again
from tests.api.caller import Caller
from tests.api.test_permits import ask, report

EVENTS = ("delivery.confirmed", "delivery.uncertain", "delivery.person", "delivery.refused")


@pytest.fixture
def listened(project: Project) -> None:
    admin = project.default_owner
    Membership.objects.filter(user=admin).update(role=Role.ADMIN)
    for channel, address in (
        (Channel.WEBHOOK, "https://hooks.example.com/once"),
        (Channel.EMAIL, "a@b.example"),
    ):
        add_route(project=project, channel=channel, address=address, events=EVENTS, user=admin)


@pytest.mark.usefixtures("listened")
def test_each_change_is_told_once_to_each_route(caller: Caller) -> None:
    report(
        caller, ask(caller, "kettle", execution="n8n-5"), "done", result_id="7", url="https://cms.example/7"
    )
    report(caller, ask(caller, "lamp"), "refused")
    alike = {"result_id": "8"}
    report(caller, ask(caller, "cup"), "unknown")
    report(caller, ask(caller, "cup"), "found", objects=[alike], method="x", complete=True)
    assert tell_news() == 4
    assert tell_news() == 0
    told = list(Message.objects.filter(channel=Channel.WEBHOOK).order_by("pk"))
    assert [one.event for one in told] == [EVENTS[0], EVENTS[3], EVENTS[1], EVENTS[2]]
    assert told[0].data["executions"] == ["n8n-5"]
    assert (told[0].data["result_id"], told[0].data["identity"]["product"]) == ("7", "kettle")
    mails = list(Message.objects.filter(channel=Channel.EMAIL).order_by("pk"))
    assert [bool(one.subject and "/tasks/" in one.text) for one in mails] == [True] * 4


def test_nobody_listens_and_nothing_is_kept(caller: Caller) -> None:
    report(caller, ask(caller), "done", result_id="7")
    assert not News.objects.exists()


@pytest.mark.usefixtures("listened")
def test_a_webhook_that_was_sent_is_sent_again_under_its_id(caller: Caller) -> None:
    report(caller, ask(caller), "done", result_id="7")
    tell_news()
    now = timezone.now()
    Message.objects.update(sent_at=now, next_try_at=None)
    hook, mail = (Message.objects.get(channel=channel) for channel in (Channel.WEBHOOK, Channel.EMAIL))
    assert (try_again(message=hook), try_again(message=mail)) == (True, False)
    again = Message.objects.get(pk=hook.pk)
    assert (again.uuid, again.sent_at, again.tries) == (hook.uuid, None, 0)
    assert again.next_try_at is not None

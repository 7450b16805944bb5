"""The client is asked whether an acceptance that was taken back counts no more; where, and what the answer does."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client as Browser

from once_delivery.accounts.models import Membership, Role
from once_delivery.ledger.models import Task
from once_delivery.review.models import Revocation
from once_delivery.review.services import revoke
from tests.web.conftest import World, signed_in
from tests.web.pages import read
from tests.web.review.given import address, opened
from tests.web.test_policy import problems


@pytest.fixture
def task(browser: Browser, tasks: list[Task], monkeypatch: pytest.MonkeyPatch) -> Task:
    """Accepted, and rejected much later."""
    monkeypatch.setattr(revoke, "SLIP", timedelta(0))
    for said in ({"do": "accept"}, {"do": "rejected", "reason": "facts", "text": "the lid is wrong"}):
        data = {**said, "content_hash": opened(browser, address(tasks[0]))}
        assert browser.post(address(tasks[0]), data).status_code == 302
    return tasks[0]


@pytest.fixture
def client(world: World) -> Browser:
    return signed_in(world.people[Role.CLIENT_APPROVER])


def said_on(browser: Browser, path: str) -> str:
    html = browser.get(path).content.decode()
    assert problems(html) == []
    return " ".join(read(html))


def answer(browser: Browser, task: Task, agree: str) -> int:
    return browser.post(f"{address(task)}taken-back/", {"agree": agree, "words": "so it is"}).status_code


def test_the_client_is_asked_where_it_looks(browser: Browser, client: Browser, task: Task) -> None:
    assert "The client is asked; this can be answered by" in said_on(browser, address(task))
    assert "some-client-approver" in browser.get(address(task)).content.decode()
    assert "Agree: it counts no more" not in said_on(browser, address(task))
    assert "Agree: it counts no more" in said_on(client, address(task))
    approvals = said_on(client, "/approvals/")
    assert "1 proposal waits for your answer" in approvals
    assert "Take an acceptance back" in approvals
    assert "facts are wrong" in approvals
    assert "the lid is wrong" in client.get("/approvals/").content.decode()
    assert "an acceptance was taken back" in said_on(client, "/")
    assert "1 approval is asked of you" in said_on(client, "/")


def test_agreed_it_is_over(browser: Browser, client: Browser, task: Task) -> None:
    assert answer(client, task, "yes") == 302
    assert Revocation.objects.get().status == "given"
    assert "The asset counts no more" in said_on(browser, address(task))
    assert "Nothing waits for your answer" in said_on(client, "/approvals/")
    assert answer(client, task, "yes") == 302  # the same again: it is as it was
    assert answer(client, task, "no") == 409
    assert Revocation.objects.get().status == "given"


def test_the_client_holds_to_it(browser: Browser, client: Browser, task: Task) -> None:
    assert answer(client, task, "no") == 302
    said = said_on(browser, address(task))
    assert "The client holds to the acceptance: the asset counts on." in said
    assert "so it is" in browser.get(address(task)).content.decode()


def test_what_was_answered_is_kept_folded(client: Browser, task: Task) -> None:
    assert answer(client, task, "no") == 302
    approvals = said_on(client, "/approvals/")
    assert "1 acceptance that was taken back" in approvals
    assert "the client holds to it" in approvals
    page = client.get("/approvals/").content.decode()
    assert "the lid is wrong" in page
    assert "so it is" in page


def test_accepted_again_both_facts_are_told_in_their_order(
    browser: Browser, client: Browser, task: Task
) -> None:
    answer(client, task, "yes")
    data = {"do": "accept", "content_hash": opened(browser, address(task))}
    assert browser.post(address(task), data).status_code == 302
    for reader in (browser, client):
        said = said_on(reader, address(task))
        assert "The asset counts no more" not in said
        assert said.index("So it counted no more") < said.index("the asset counts now")


def test_who_rejects_what_was_accepted_is_told_who_can_answer(
    browser: Browser, tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revoke, "SLIP", timedelta(0))
    decide(browser, tasks[0], {"do": "accept"})
    told = decide(browser, tasks[0], {"do": "changes", "reason": "facts"})
    assert "was accepted, and counts on until the client agrees. some-client-approver can answer." in told
    told = decide(browser, tasks[1], {"do": "rejected", "reason": "facts"})
    assert "counts on" not in told  # it was not accepted before


def test_where_nobody_can_answer_it_is_said_with_what_to_do(
    world: World, tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revoke, "SLIP", timedelta(0))
    project = Membership.objects.filter(project=world.project)
    project.filter(role=Role.CLIENT_APPROVER).delete()
    admin = signed_in(world.people[Role.ADMIN], confirmed=True)
    decide(admin, tasks[0], {"do": "accept"})
    told = decide(admin, tasks[0], {"do": "rejected", "reason": "facts"})
    assert "nobody in this project can answer for the client" in told
    page = admin.get(address(tasks[0])).content.decode()
    invite = "/projects/aurora/invitations/?role=client_approver"
    assert f'href="{invite}"' in page
    assert '"client_approver" checked' in admin.get(invite).content.decode()
    lead = signed_in(world.people[Role.MARKETING_LEAD])
    assert invite not in lead.get(address(tasks[0])).content.decode()
    assert "An administrator invites one" in said_on(lead, address(tasks[0]))


def test_the_question_stands_before_brief_and_draft(client: Browser, task: Task) -> None:
    page = client.get(address(task)).content.decode()
    assert page.index('id="taken-back"') < page.index('id="brief"')
    answer(client, task, "no")
    page = client.get(address(task)).content.decode()
    assert page.index('id="taken-back"') > page.index('id="draft"')


def decide(browser: Browser, task: Task, said: dict[str, str]) -> str:
    """Decide, and read the page that follows."""
    data = {**said, "content_hash": opened(browser, address(task))}
    answered = browser.post(address(task), data, follow=True)
    assert answered.status_code == 200
    return " ".join(read(answered.content.decode()))


def test_nobody_else_answers(browser: Browser, world: World, task: Task) -> None:
    assert answer(browser, task, "yes") == 403
    assert answer(signed_in(world.people[Role.ADMIN]), task, "yes") == 403
    assert answer(signed_in(world.people[Role.CLIENT_APPROVER]), task, "perhaps") == 422
    assert Revocation.objects.get().status == "asked"


def test_what_was_not_taken_back_has_no_answer(client: Browser, tasks: list[Task]) -> None:
    assert answer(client, tasks[1], "yes") == 404

"""The client is asked whether an acceptance that was taken back counts no more; where, and what the answer does."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client as Browser

from once_delivery.accounts.models import Role
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
    for said in ({"do": "accept"}, {"do": "rejected", "reason": "facts"}):
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
    assert "Who answers for the client is asked" in said_on(browser, address(task))
    assert "Agree: it counts no more" not in said_on(browser, address(task))
    assert "Agree: it counts no more" in said_on(client, address(task))
    approvals = said_on(client, "/approvals/")
    assert "1 proposal waits for your answer" in approvals
    assert "Take an acceptance back" in approvals
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


def test_nobody_else_answers(browser: Browser, world: World, task: Task) -> None:
    assert answer(browser, task, "yes") == 403
    assert answer(signed_in(world.people[Role.ADMIN]), task, "yes") == 403
    assert answer(signed_in(world.people[Role.CLIENT_APPROVER]), task, "perhaps") == 422
    assert Revocation.objects.get().status == "asked"


def test_what_was_not_taken_back_has_no_answer(client: Browser, tasks: list[Task]) -> None:
    assert answer(client, tasks[1], "yes") == 404

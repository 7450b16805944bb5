"""A link for somebody without an account: one task, decided as on the page of the house, and nothing else of it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client as Browser

from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Task
from once_delivery.review.models import ApprovalLink, Asset, Review
from tests.fakes.connector import FakeTarget
from tests.web.conftest import World
from tests.web.pages import read
from tests.web.review.given import address, edit, opened
from tests.web.test_policy import problems


@pytest.fixture
def link(browser: Browser, tasks: list[Task]) -> str:
    answer = browser.post(
        f"{address(tasks[0])}links/", {"approver": "Aurora legal", "days": "7"}, follow=True
    )
    found = re.search(r'data-copy="http://testserver(/approve/[\w-]{43}/)"', answer.content.decode())
    assert found is not None
    return found.group(1)


@pytest.fixture
def guest(db: None) -> Browser:
    return Browser(headers={"accept-language": "en"})


def decide(guest: Browser, link: str, do: str, **more: object) -> int:
    data = {"do": do, "content_hash": opened(guest, link), "confirmed": "yes", **more}
    return guest.post(link, data).status_code


def test_the_address_is_shown_once(browser: Browser, link: str, tasks: list[Task]) -> None:
    secret = link.split("/")[2]
    html = browser.get(address(tasks[0])).content.decode()
    assert "Aurora legal" in html
    assert secret not in html


def test_the_page_is_strict_and_shows_this_task_alone(
    guest: Browser, link: str, world: World, browser: Browser, tasks: list[Task]
) -> None:
    browser.post(f"{address(tasks[0])}comments/", {"text": "between us"})
    answer = guest.get(link)
    html = answer.content.decode()
    assert answer["Referrer-Policy"] == "same-origin"
    assert "noindex" in answer["X-Robots-Tag"]
    assert "no-store" in answer["Cache-Control"]
    assert "default-src 'none'" in answer["Content-Security-Policy"]
    assert problems(html) == []
    assert "How this works" in html
    assert "Der Topf pot de-DE" in html
    hidden = (
        "between us",
        "some-marketing-lead",
        world.project.name,
        world.project.code,
        "/review/",
        "winter",
        "Lamp",
    )
    assert [word for word in hidden if word in html] == []


def test_accepting_needs_a_confirmation_and_is_shown_then(
    guest: Browser, link: str, tasks: list[Task]
) -> None:
    data = {"do": "accept", "content_hash": opened(guest, link)}
    answer = guest.post(link, data)
    assert (answer.status_code, Review.objects.count()) == (422, 0)
    assert "Confirm that you are the one" in answer.content.decode()
    assert decide(guest, link, "accept") == 302
    assert "Your decision:" in " ".join(read(guest.get(link).content.decode()))
    review = Review.objects.get()
    assert (review.user, review.link and review.link.approver) == (None, "Aurora legal")
    assert Asset.objects.get(withdrawn_at=None).task == tasks[0]


def test_the_decision_can_be_changed(guest: Browser, link: str, browser: Browser, tasks: list[Task]) -> None:
    decide(guest, link, "accept")
    assert decide(guest, link, "rejected", reason="legal", text="Name the maker.") == 302
    assert Asset.objects.filter(withdrawn_at=None).count() == 0
    html = browser.get(address(tasks[0])).content.decode()
    assert "by link" in html
    assert "Name the maker." in html
    assert decide(guest, link, "take-back") == 302
    assert "Your decision:" not in guest.get(link).content.decode()


def test_a_draft_that_changed_meanwhile(
    guest: Browser, link: str, fake: FakeTarget, tasks: list[Task]
) -> None:
    hashed = opened(guest, link)
    edit(fake, tasks[0])
    data = {"do": "changes", "content_hash": hashed, "confirmed": "yes", "text": "Please check."}
    answer = guest.post(link, data)
    assert (answer.status_code, Review.objects.count()) == (409, 0)
    assert "Please check." in answer.content.decode()


def test_links_that_open_nothing_look_alike(
    guest: Browser, link: str, browser: Browser, tasks: list[Task]
) -> None:
    unknown = guest.get(f"/approve/{'x' * 43}/")
    ApprovalLink.objects.update(expires_at=database_now() - timedelta(seconds=1))
    expired = guest.get(link)
    ApprovalLink.objects.update(expires_at=database_now() + timedelta(days=1))
    found = ApprovalLink.objects.get()
    assert guest.get(link).status_code == 200
    browser.post(f"{address(tasks[0])}links/{found.uuid}/revoke/")
    revoked = guest.get(link)
    posted = guest.post(link, {"do": "accept", "confirmed": "yes"})

    def without_address(answer: object) -> str:
        return re.sub(r'value="[^"]*"', "", answer.content.decode())  # type: ignore[attr-defined]

    answers = (unknown, expired, revoked, posted)
    assert {answer.status_code for answer in answers} == {404}
    assert len({without_address(answer) for answer in answers}) == 1
    assert {answer["Referrer-Policy"] for answer in answers} == {"same-origin"}


def test_a_page_that_is_loaded_again_makes_no_second_link(browser: Browser, tasks: list[Task]) -> None:
    made = browser.post(f"{address(tasks[0])}links/", {"approver": "Legal", "days": "7"})
    assert (made.status_code, made["Location"]) == (302, f"{address(tasks[0])}#links")
    shown = [
        'data-copy="http://testserver/approve/' in browser.get(path).content.decode()
        for path in (address(tasks[1]), address(tasks[0]), address(tasks[0]))
    ]
    assert (shown, ApprovalLink.objects.count()) == ([False, True, False], 1)


@pytest.mark.parametrize(("name", "days"), [("", "7"), ("Legal", "0"), ("Legal", "31"), ("Legal", "x")])
def test_a_link_that_is_not_made(browser: Browser, tasks: list[Task], name: str, days: str) -> None:
    answer = browser.post(f"{address(tasks[0])}links/", {"approver": name, "days": days})
    assert (answer.status_code, ApprovalLink.objects.count()) == (422, 0)
    assert "needs the name of who it is for" in answer.content.decode()


def test_a_link_of_another_task_is_not_revoked_here(browser: Browser, link: str, tasks: list[Task]) -> None:
    found = ApprovalLink.objects.get()
    assert browser.post(f"{address(tasks[1])}links/{found.uuid}/revoke/").status_code == 404
    assert ApprovalLink.objects.get().revoked_at is None


def test_images_of_the_link_are_those_of_its_task(guest: Browser, link: str, tasks: list[Task]) -> None:
    assert f"{link}image/" not in guest.get(link).content.decode()  # the target has no address to begin at
    assert guest.get(f"{link}image/", {"of": "x"}).status_code == 404

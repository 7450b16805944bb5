"""Accepting many: a plan with what is left out, a run that survives a reload, an undo of just these."""

from __future__ import annotations

import pytest
from django.test import Client as Browser

from once_delivery.accounts.models import Role
from once_delivery.ledger.models import Action, Task
from once_delivery.review.models import Asset, Review
from once_delivery.targets.base import Presence
from once_delivery.web.selectors import review_jobs
from tests.fakes.connector import FakeTarget
from tests.web.conftest import World, signed_in
from tests.web.review.given import address, edit, opened


def chosen(tasks: list[Task]) -> dict[str, list[str]]:
    return {"task": [str(task.uuid) for task in tasks]}


def planned(browser: Browser, tasks: list[Task]) -> list[str]:
    plan = browser.post("/review/accept/", chosen(tasks)).context
    return [f"{one.task.uuid}:{one.draft.content_hash}" for one in plan["accepted"]]


def begun(browser: Browser, tasks: list[Task]) -> str:
    return str(browser.post("/review/accept/run/", {"item": planned(browser, tasks)})["Location"])


def counted() -> int:
    return Asset.objects.filter(withdrawn_at=None).count()


def test_the_plan_names_what_is_left_out_and_decides_nothing(browser: Browser, tasks: list[Task]) -> None:
    Action.objects.filter(task=tasks[1]).update(presence=Presence.DUPLICATE)
    answer = browser.post("/review/accept/", chosen(tasks))
    html = answer.content.decode()
    assert [one.task.pk for one in answer.context["left_out"]] == [tasks[1].pk]
    assert "Accept 5 drafts" in html
    assert "holds this draft more than once" in html
    assert Review.objects.count() == 0


def test_nothing_chosen(browser: Browser, tasks: list[Task]) -> None:
    answer = browser.post("/review/accept/?locale=de-DE", {"task": ["x"]}, follow=True)
    assert "Choose the drafts first" in answer.content.decode()


def test_a_run_goes_on_part_by_part_and_survives_a_reload(
    browser: Browser, tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_jobs, "PART", 4)
    job = begun(browser, tasks)
    assert counted() == 0
    assert "0 of 6 done" in browser.get(job).content.decode()
    browser.post(job)
    assert counted() == 4
    assert "4 of 6 done" in browser.get(job).content.decode()  # as after a reload
    part = browser.post(job, headers={"hx-request": "true"}).content.decode()
    assert "6 of 6 done" in part
    assert "<html" not in part
    assert counted() == 6


def test_what_changed_after_the_plan_is_left(browser: Browser, tasks: list[Task], fake: FakeTarget) -> None:
    job = begun(browser, tasks[:3])
    edit(fake, tasks[1])
    html = browser.post(job, follow=True).content.decode()
    assert counted() == 2
    assert "left as they were" in html
    assert "was changed at the target" in html


def test_undo_takes_back_just_these(browser: Browser, tasks: list[Task], world: World) -> None:
    data = {"do": "accept", "content_hash": opened(browser, address(tasks[5]))}
    browser.post(address(tasks[5]), data)
    job = begun(browser, tasks[:3])
    browser.post(job)
    # somebody decides otherwise meanwhile
    admin = signed_in(world.people[Role.ADMIN])
    data = {"do": "rejected", "content_hash": opened(admin, address(tasks[0])), "reason": "legal"}
    admin.post(address(tasks[0]), data)
    html = browser.post(f"{job}undo/", follow=True).content.decode()
    assert "taken back" in html
    assert [task.pk for task in tasks if Asset.objects.filter(task=task, withdrawn_at=None).exists()] == [
        tasks[5].pk
    ]
    assert Review.objects.filter(task=tasks[0]).order_by("-pk")[0].verdict == "rejected"


def test_a_run_is_its_beginners(browser: Browser, tasks: list[Task], world: World) -> None:
    job = begun(browser, tasks[:2])
    for other in (world.people[Role.ADMIN], world.charlie):
        assert signed_in(other).get(job).status_code == 404
        assert signed_in(other).post(f"{job}undo/").status_code == 404
    assert counted() == 0


def test_another_tenants_drafts_are_not_chosen(tasks: list[Task], world: World) -> None:
    """R14"""
    assert signed_in(world.charlie).post("/review/accept/", chosen(tasks)).status_code == 403


def test_what_nobody_has_read_is_read_on_wish(browser: Browser, tasks: list[Task], fake: FakeTarget) -> None:
    unread = browser.get("/review/?product=x").context["unread"]
    assert unread == []
    unread = [str(uuid) for uuid in browser.get("/review/").context["unread"]]
    assert len(unread) == 7
    answer = browser.post("/review/read/?view=grid", {"unread": unread}, follow=True)
    html = answer.content.decode()
    assert "1 draft could not be read." in html  # the target of this test does not hold the world's own
    assert "Der Topf pot de-DE" in html
    assert [str(uuid) for uuid in answer.context["unread"]] == unread[:1]
    assert Review.objects.count() == 0


def test_the_plan_is_a_page_that_can_be_loaded_again(browser: Browser, tasks: list[Task]) -> None:
    """A browser is led to an address that shows it: Back and Reload read and send nothing."""
    shown = {"sec-fetch-mode": "navigate", "referer": "http://testserver/review/?state=all"}
    led = browser.post("/review/accept/?state=all", chosen(tasks), headers=shown)
    assert led.status_code == 303
    assert led["Location"].startswith("/review/?state=all&answer=")
    pages = [
        browser.get(led["Location"], headers={"sec-fetch-mode": "navigate"}).content.decode()
        for _ in range(2)
    ]
    assert [page.count('name="item"') for page in pages] == [len(tasks)] * 2

"""The task's page: update in place in words, versions, decisions, cases, and a time line of any length."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client as Browser
from django.utils import timezone

from once_delivery.ledger.models import Action, Event, InputVersion, Task
from once_delivery.review.models import Comment
from once_delivery.targets.models import Target
from once_delivery.web.selectors.task_more import _taken, _updates, more_of
from once_delivery.web.selectors.timeline import PAGE, timeline_of
from tests.builders import a_batch, a_delivery, a_draft
from tests.web.conftest import World
from tests.web.pages import read


@pytest.fixture
def newer(world: World) -> Action:
    """The second version of the kettle's page, at a target that updates in place."""
    target = world.action("confirmed").target
    target.profile_data = {**target.profile_data, "on_new_version": "update_existing"}
    Target.objects.filter(pk=target.pk).update(profile_data=target.profile_data)
    delivery = a_delivery(
        "kettle", "en-US", purpose="商品页", product_name="手冲壶", input_version=2,
        brief={"text": "hotter"}, actions=(a_draft(title="手冲壶 2"),),
    )  # fmt: skip
    batch = a_batch(world.project, delivery, name="second")
    return Action.objects.select_related("task").get(task__references__batch=batch)


def said(browser: Browser, task: Task) -> str:
    return " ".join(read(browser.get(f"/tasks/{task.uuid}/").content.decode()))


def test_a_newer_version_says_whose_draft_it_is_to_update_and_the_older_one_who_takes_it(
    world: World, alice: Browser, newer: Action
) -> None:
    older = world.action("confirmed")
    assert newer.original_id == older.pk
    assert f"It is to update the draft of v1 (ID {older.result_id}) in place" in said(alice, newer.task)
    assert "v2 is to take this draft on" in said(alice, older.task)


@pytest.mark.parametrize(
    ("state", "result_id", "words"),
    [
        ("confirmed", "7", "was updated in place"),
        ("confirmed", "8", "A draft of its own was made"),
        ("cancelled", "", "never did"),
        ("superseded", "", "never did"),
        ("planned", "", "It is to update"),
        ("uncertain", "", "It is to update"),
    ],
)
def test_what_became_of_an_update_in_words(state: str, result_id: str, words: str) -> None:
    version = Task(input_version=InputVersion(number=1))
    original = Action(task=version, state="confirmed", result_id="7")
    assert words in _updates(Action(state=state, result_id=result_id), original)


def test_an_update_of_what_is_not_confirmed_waits() -> None:
    original = Action(task=Task(input_version=InputVersion(number=1)), state="uncertain")
    assert "It waits for v1" in _updates(Action(state="planned"), original)


@pytest.mark.parametrize(
    ("state", "words"), [("confirmed", "has taken"), ("planned", "is to take"), ("cancelled", "never did")]
)
def test_what_became_of_a_draft_that_is_taken_on(state: str, words: str) -> None:
    assert words in _taken(Action(task=Task(input_version=InputVersion(number=2)), state=state))


def test_versions_cases_and_decisions_stand_beside_the_task(
    world: World, alice: Browser, newer: Action
) -> None:
    task = world.case.action.task
    Comment.objects.create(
        project=world.project, task=task, user=world.alice, text="看起来不错", at=timezone.now()
    )
    html = alice.get(f"/tasks/{task.uuid}/").content.decode()
    assert f"/cases/{world.case.uuid}/" in html
    assert "看起来不错" in html
    assert [one.input_version.number for one in more_of(newer.task, [newer]).versions] == [2, 1]
    assert "hotter" in alice.get(f"/tasks/{newer.task.uuid}/").content.decode()


def test_every_kind_of_event_has_words(world: World) -> None:
    action = world.action("planned")
    for kind in ("decided", "duplicate.seen", "late.answer", "orphan.seen"):
        Event.objects.create(
            project=world.project, action=action, kind=kind, reason="adopted", actor="system:sweep",
            at=timezone.now(),
        )  # fmt: skip
    titles = {entry.title for entry in timeline_of([action]).entries}
    assert {
        "A person decided", "More than one of ours was seen", "An answer came late",
        "An object that belongs to nothing was seen",
    } <= titles  # fmt: skip
    assert "Noted" not in titles


def test_a_long_time_line_is_paged_and_loses_nothing(world: World) -> None:
    action = world.action("planned")
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    Event.objects.bulk_create(
        [
            Event(
                project=world.project, action=action, kind="decided", reason=f"r{n}", actor="system:sweep",
                at=begin + timedelta(seconds=n // 3),  # three at a moment
            )
            for n in range(PAGE * 2 + 30)
        ]
    )  # fmt: skip
    texts: list[str] = []
    key = ""
    for _page in range(5):
        page = timeline_of([action], before=key)
        texts += [entry.text for entry in page.entries]
        key = page.next_key
        if not key:
            break
    assert len(texts) == len(set(texts)) == Event.objects.filter(action=action).count()


@pytest.mark.parametrize("key", ["x", "2026-13-01", "2026-01-01T00:00:00", "99", "9999-12-31T00:00:00Z"])
def test_a_place_in_the_line_that_is_none_begins_anew(world: World, key: str) -> None:
    assert timeline_of([world.action("confirmed")], before=key).first


def test_a_place_in_the_line_of_any_offset_is_one(world: World) -> None:
    assert timeline_of([world.action("confirmed")], before="2199-01-01T00:00:00+23:59").entries

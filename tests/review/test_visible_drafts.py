"""The one draft of a task that people see: its row is right whoever writes, in whichever order, and two at once."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from once_delivery.accounts.models import User
from once_delivery.ledger.claims import Claimed
from once_delivery.ledger.models import Action, Batch, Task
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.review.drafts import draft_action_of
from once_delivery.review.models import Draft, Review, Verdict, VisibleDraft
from once_delivery.review.services.decide import Decider, decide_draft, take_back
from once_delivery.review.services.fetch_draft import fetch_draft
from once_delivery.review.services.note_seen import note_seen
from tests.builders import a_batch, a_delivery, a_draft, a_project
from tests.fakes.connector import FakeTarget
from tests.ledger.given import a_real_target, claim, done, record
from tests.review.what_follows import visible_drafts_are_right

pytestmark = pytest.mark.django_db(transaction=True)


def read(task: Task) -> Draft:
    return fetch_draft(action=draft_action_of(task))


def edit(fake: FakeTarget, task: Task, title: str) -> None:
    held = fake.held(draft_action_of(task).result_id)
    assert held is not None
    fake.change(held, {"title": title, "body": "own words"})


def row(task: Task) -> VisibleDraft:
    return VisibleDraft.objects.get(pk=task.pk)


def test_each_step_of_a_review_is_written_down(task: Task, lead: User, fake: FakeTarget) -> None:
    def decided(verdict: Verdict) -> str:
        hashed = read(task).content_hash
        decide_draft(task=task, verdict=verdict, decider=Decider(user=lead), content_hash=hashed, text="why")
        visible_drafts_are_right()
        return row(task).state

    begun = row(task)
    assert (begun.state, begun.latest_id, begun.since) == ("waits", None, begun.action.confirmed_at)
    assert decided(Verdict.ACCEPTED) == "accepted"
    edit(fake, task, "first")
    read(task)
    changed = row(task)
    assert changed.state == "changed"
    edit(fake, task, "second")
    read(task)
    visible_drafts_are_right()
    assert (row(task).state, row(task).since) == ("changed", changed.since)
    assert decided(Verdict.CHANGES) == "changes"
    edit(fake, task, "third")
    read(task)
    assert row(task).state == "waits"
    assert decided(Verdict.REJECTED) == "rejected"
    edit(fake, task, "fourth")
    read(task)
    visible_drafts_are_right()
    assert row(task).state == "rejected"
    take_back(task=task, decider=Decider(user=lead))
    visible_drafts_are_right()
    assert (row(task).state, row(task).since) == ("waits", Review.objects.latest("pk").at)


def test_a_text_that_stood_there_before_comes_back(task: Task, lead: User, fake: FakeTarget) -> None:
    first = read(task)
    decide_draft(
        task=task, verdict=Verdict.ACCEPTED, decider=Decider(user=lead), content_hash=first.content_hash
    )
    held = fake.held(draft_action_of(task).result_id)
    assert held is not None
    before = dict(held.content)
    edit(fake, task, "another")
    read(task)
    assert row(task).state == "changed"
    fake.change(fake.held(held.result_id) or held, before)
    assert read(task).pk == first.pk
    assert (row(task).state, row(task).latest_id) == ("accepted", first.pk)


def test_whoever_writes_past_the_services(task: Task, lead: User) -> None:
    draft = read(task)
    Review.objects.create(
        project=task.project, task=task, draft=draft, verdict="rejected", user=lead, at=timezone.now()
    )
    visible_drafts_are_right()
    assert row(task).state == "rejected"
    Draft.objects.create(
        project=task.project, action=draft.action, content={}, content_hash="x", first_read_at=timezone.now(),
        read_at=timezone.now(),
    )  # fmt: skip
    visible_drafts_are_right()


def test_a_newer_version_takes_the_draft_over(task: Task, lead: User, fake: FakeTarget) -> None:
    decide_draft(
        task=task, verdict=Verdict.ACCEPTED, decider=Decider(user=lead), content_hash=read(task).content_hash
    )
    note_seen(task=task, user=lead, draft=read(task))
    newer = a_delivery("kettle", input_version=2, brief={"text": "2"}, actions=(a_draft("kettle v2"),))
    resume_batch(batch=a_batch(task.project, newer, name="newer"), wait_s=5)
    visible_drafts_are_right()
    (shown,) = VisibleDraft.objects.all()
    assert (shown.task.input_version.number, shown.state) == (2, "waits")
    take_back(task=task, decider=Decider(user=lead))  # of the old version: it stays hidden
    visible_drafts_are_right()


def a_task_with_two_drafts() -> tuple[Batch, list[Claimed]]:
    project = a_project()
    a_real_target(project)
    batch = a_batch(project, a_delivery(actions=(a_draft(), a_draft(slot="second"))))
    group = claim(batch)
    assert group is not None
    return batch, sorted(group.items, key=lambda item: item.action_id)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_first_of_two_drafts_is_the_one(order: tuple[int, int]) -> None:
    batch, items = a_task_with_two_drafts()
    for number in order:
        record(batch, (items[number], done(f"obj-{number}")))
        visible_drafts_are_right()
    assert VisibleDraft.objects.get().action_id == items[0].action_id


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_two_drafts_of_one_task_that_are_confirmed_at_once(order: tuple[int, int]) -> None:
    """One is confirmed and not yet committed when the other comes: whichever it is, the first draft stays."""
    batch, items = a_task_with_two_drafts()
    early, late = (items[number] for number in order)
    confirmed, may_commit = threading.Event(), threading.Event()

    def first() -> None:
        from django.db import transaction

        with transaction.atomic():
            record(batch, (early, done("early")))
            confirmed.set()
            may_commit.wait(5)
        connection.close()

    def second() -> None:
        confirmed.wait(5)
        record(batch, (late, done("late")))
        connection.close()

    at_once(first, second, then=may_commit.set)
    assert Action.objects.filter(state="confirmed").count() == 2
    visible_drafts_are_right()


def test_a_look_while_a_new_text_is_written_down(task: Task, lead: User, fake: FakeTarget) -> None:
    """Nobody is told that nothing changed because the two came at once."""
    old = read(task)
    edit(fake, task, "new")
    written, may_commit = threading.Event(), threading.Event()

    def reads() -> None:
        from django.db import transaction

        with transaction.atomic():
            read(task)
            written.set()
            may_commit.wait(5)
        connection.close()

    def looks() -> None:
        written.wait(5)
        note_seen(task=task, user=lead, draft=old)
        connection.close()

    at_once(reads, looks, then=may_commit.set)
    visible_drafts_are_right()
    assert row(task).latest_id != old.pk


def at_once(*doing: Callable[[], None], then: Callable[[], None]) -> None:
    """``then``: as soon as one of them waits for what the other has locked."""
    threads = [threading.Thread(target=one) for one in doing]
    for one in threads:
        one.start()
    wait_for_a_lock()
    then()
    for one in threads:
        one.join()


def wait_for_a_lock() -> None:
    """Until a session of this database waits for another's row."""
    with connection.cursor() as cursor:
        for _ in range(2000):
            cursor.execute(
                "SELECT pg_sleep(0.002), count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            if cursor.fetchone()[1]:
                return
    raise AssertionError("nobody waits")


def test_what_is_there_already_is_filled_in(task: Task, lead: User, fake: FakeTarget) -> None:
    """As a ledger of before is brought up to date: rejected, accepted and changed since, never read."""
    batch = a_batch(task.project, *(a_delivery(name) for name in ("lamp", "cup")), name="more")
    resume_batch(batch=batch, wait_s=5)
    lamp = Task.objects.get(product__code="lamp")
    for one, verdict in ((task, Verdict.REJECTED), (lamp, Verdict.ACCEPTED)):
        hashed = read(one).content_hash
        decide_draft(task=one, verdict=verdict, decider=Decider(user=lead), content_hash=hashed, text="why")
    note_seen(task=lamp, user=lead, draft=read(lamp))
    edit(fake, lamp, "changed since")
    read(lamp)
    kept = sorted(VisibleDraft.objects.values_list())
    assert {one.state for one in VisibleDraft.objects.all()} == {"rejected", "changed", "waits"}

    executor = MigrationExecutor(connection)
    now = executor.loader.graph.leaf_nodes()
    executor.migrate([("review", "0005_waiting")])
    MigrationExecutor(connection).migrate(now)

    visible_drafts_are_right()
    assert [row[:6] for row in sorted(VisibleDraft.objects.values_list())] == [row[:6] for row in kept]

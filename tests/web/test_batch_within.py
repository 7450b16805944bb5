"""The batch page: filters within a batch, progress from rows, and a large batch without its whole plan."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client as Browser
from django.utils import timezone

from once_delivery.ledger.models import Run, RunKind
from once_delivery.web.selectors import batch as selector
from once_delivery.web.selectors import deliveries
from once_delivery.web.selectors.batch import batch_now
from once_delivery.web.selectors.batch_counts import counts_of_batch
from once_delivery.web.selectors.deliveries import Within, within
from once_delivery.web.selectors.outlook import Outlook, outlook_of
from once_delivery.web.selectors.plan import plan_of
from tests.web.conftest import World
from tests.web.pages import read
from tests.web.uploads import an_upload


@pytest.mark.parametrize(
    ("asked", "tasks"),
    [
        ({}, 6),
        ({"state": "refused"}, 1),
        ({"locale": "de-DE"}, 3),
        ({"product": "cup"}, 2),
        ({"product": "cup", "locale": "de-DE", "state": "confirmed"}, 0),
        ({"state": "nonsense"}, 6),
    ],
)
def test_tasks_are_chosen_by_the_address(world: World, asked: dict[str, str], tasks: int) -> None:
    now = batch_now(world.batch, chosen=within(asked))
    assert (len(now.deliveries.rows), now.task_count, now.tally.total) == (tasks, 6, 8)


def test_pages_keep_the_filters(world: World, alice: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliveries, "PAGE", 2)
    html = alice.get(f"/batches/{world.batch.uuid}/?locale=de-DE").content.decode()
    assert "after=" in html
    assert "&amp;locale=de-DE" in html
    assert "2 of 6 tasks are shown" in " ".join(read(html))


def test_progress_comes_from_rows(world: World) -> None:
    assert batch_now(world.batch).progress is None
    begun = timezone.now() - timedelta(minutes=2)
    run = Run.objects.create(project=world.project, batch=world.batch, kind=RunKind.RESUME, process="test")
    Run.objects.filter(pk=run.pk).update(started_at=begun)

    progress = batch_now(world.batch).progress
    assert progress is not None
    # confirmed, refused and to a person came to rest since; the others are on their way
    assert (progress.done, progress.total) == (3, 8)
    assert 1.4 < progress.per_minute <= 1.5
    assert progress.left is not None
    assert timedelta(minutes=3) < progress.left < timedelta(minutes=4)


def test_a_large_batch_is_counted_and_its_plan_is_a_page_of_its_own(
    world: World, alice: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selector, "LARGE", 5)
    now = batch_now(world.batch)
    assert isinstance(now.plan, Outlook)
    text = " ".join(read(alice.get(f"/batches/{world.batch.uuid}/").content.decode()))
    assert "Read the plan with its reasons" in text
    assert "a person must decide" in text or "In progress" in text


def test_the_counted_outlook_says_what_the_plan_says(world: World) -> None:
    plan, counted = plan_of(world.batch), outlook_of(counts_of_batch(world.batch))
    assert counted.persons == plan.persons
    assert counted.worth_it is plan.worth_it
    assert counted.effects + counted.look_ups + counted.waits + counted.refused == (
        plan.effects + plan.look_ups + plan.waits
    )


def test_the_file_that_was_imported_can_be_fetched_from_its_batch(world: World, alice: Browser) -> None:
    upload = an_upload(world)
    alice.post(f"/batches/import/{upload.uuid}/apply/", {"sha256": upload.sha256})
    upload.refresh_from_db()
    assert upload.batch is not None
    html = alice.get(f"/batches/{upload.batch.uuid}/").content.decode()
    assert f"/batches/import/{upload.uuid}/original" in html


def test_within_says_the_same_in_an_address() -> None:
    assert Within(state="refused", product="a b").query == "state=refused&product=a+b"

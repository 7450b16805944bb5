"""The batch: runs beside deliveries, the plan, live refresh, resuming."""

from __future__ import annotations

import re

import pytest
from django.test import Client as Browser
from django.urls import reverse
from kombu.exceptions import OperationalError

from once_delivery.ledger import tasks
from once_delivery.ledger.models import Action, BatchTask
from once_delivery.targets.base import Presence
from once_delivery.targets.models import Target
from once_delivery.web.selectors.batch import batch_now
from once_delivery.web.selectors.plan import plan_of
from tests.web.conftest import World, signed_in
from tests.web.pages import read


def page(world: World, query: str = "", **headers: str) -> str:
    response = signed_in(world.alice).get(
        reverse("web:batch", args=[world.batch.uuid]) + query, headers=headers
    )
    return response.content.decode()


def panel(html: str, title: str) -> str:
    """The text of one panel."""
    found = re.search(
        rf'<section class="panel[^"]*"[^>]*aria-labelledby="{title}">.*?</section>', html, re.DOTALL
    )
    assert found
    return " ".join(read(found[0]))


def test_runs_and_deliveries_do_not_mix(world: World) -> None:
    html = page(world)
    runs, deliveries = panel(html, "runs"), panel(html, "deliveries")

    assert "first try" in runs
    assert "failed" in runs
    assert "n8n-48213" in html
    assert [word for word in ("uncertain", "to be reconciled", "refused") if word in runs] == []
    assert [word for word in ("failed", "finished", "n8n") if word in deliveries] == []


def test_every_state_is_counted_once(world: World) -> None:
    counts = {one.state: one.count for one in batch_now(world.batch).tally.counts}
    assert counts == {
        "confirmed": 1,
        "reconcile": 1,
        "refused": 1,
        "uncertain": 1,
        "sending": 1,
        "accepted": 1,
        "planned": 2,
    }


def test_the_answer_counts_uncertain_neither_as_done_nor_as_failed(world: World) -> None:
    answer = " ".join(read(page(world).split('role="status">')[1].split("</div>")[0]))
    assert (
        "1 of 8 confirmed, 1 uncertain, 1 to be reconciled, 1 refused by the target, 2 under way, 2 not executed"
        in answer
    )
    assert "fail" not in answer


def test_the_fewer_dimension_stands_in_the_columns(world: World) -> None:
    matrix = batch_now(world.batch).matrix
    assert [head.title for head in matrix.columns] == ["en-US", "de-DE"]
    assert [row.head.title for row in matrix.rows] == ["手冲壶", "露营灯", "保温杯"]


def test_actions_of_one_task_that_differ_are_told_apart(world: World) -> None:
    field = batch_now(world.batch).matrix.rows[2].fields[0]
    (cell,) = field.cells
    assert [(mark.state, mark.kind) for mark in cell.marks] == [
        ("reconcile", "create draft"),
        ("sending", "create draft"),
    ]


def test_the_once_mark_stands_only_for_what_was_counted(world: World) -> None:
    (held,) = batch_now(world.batch).held
    assert (held.confirmed, held.counted, held.mark) == (1, 1, "one")

    Action.objects.filter(state="confirmed").update(presence=Presence.UNCHECKED)
    (held,) = batch_now(world.batch).held
    assert (held.confirmed, held.counted, held.mark) == (1, 0, "")


def test_what_stands_twice_while_a_person_has_to_say_which_is_told_as_well(world: World) -> None:
    (held,) = batch_now(world.batch).held
    assert held.undecided == 0
    assert "a person has to say which" not in page(world)

    Action.objects.filter(state="reconcile").update(reason="found-many")
    (held,) = batch_now(world.batch).held
    assert (held.confirmed, held.duplicate, held.undecided, held.mark) == (1, 0, 1, "two")
    assert "a person has to say which" in page(world)


def test_what_was_not_counted_leads_to_where_it_is(world: World) -> None:
    target = Action.objects.get(task__references__batch=world.batch, state="confirmed").target
    address = reverse("web:audits", args=[target.uuid])
    assert address not in page(world)

    Action.objects.filter(state="confirmed").update(presence=Presence.UNCHECKED)
    assert f'href="{address}"' in page(world)

    Target.objects.filter(pk=target.pk).update(of_drill=True)  # has no page
    assert address not in page(world)


def test_what_stands_twice_is_not_called_complete(world: World) -> None:
    """R11: all of it is confirmed, and the target has the last word."""
    BatchTask.objects.filter(batch=world.batch).exclude(task__actions__state="confirmed").delete()
    assert "The delivery is complete." in page(world)

    Action.objects.filter(state="confirmed").update(presence=Presence.DUPLICATE)
    answer = " ".join(read(page(world).split('role="status">')[1].split("</div>")[0]))
    assert "All is confirmed, but 1 stands more than once at the target." in answer
    assert "complete" not in answer


def test_htmx_gets_the_part_that_changes_and_nothing_when_it_did_not(world: World) -> None:
    htmx = {"hx-request": "true"}
    part = page(world, **htmx)
    assert "<html" not in part
    assert part.strip().startswith('<div class="stack" id="live"')

    seen = re.search(r"seen=(\w+)", part)
    assert seen
    browser, address = signed_in(world.alice), reverse("web:batch", args=[world.batch.uuid])
    again = browser.get(f"{address}?seen={seen[1]}", headers=htmx)
    assert (again.status_code, again.content) == (204, b"")

    Action.objects.filter(state="confirmed").update(presence=Presence.DUPLICATE)
    assert browser.get(f"{address}?seen={seen[1]}", headers=htmx).status_code == 200


def test_a_part_that_is_fetched_after_signing_out_leads_to_signing_in(world: World) -> None:
    response = Browser().get(reverse("web:batch", args=[world.batch.uuid]), headers={"hx-request": "true"})
    assert (response.status_code, response["HX-Redirect"]) == (200, "/sign-in/?next=%2F")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    calls: list[tuple[int, int]] = []
    monkeypatch.setattr(tasks.resume_batch, "delay", lambda *args: calls.append(args))
    return calls


def post(world: World, plan: str) -> tuple[int, str]:
    response = signed_in(world.alice).post(reverse("web:resume", args=[world.batch.uuid]), {"plan": plan})
    return response.status_code, response.content.decode()


def test_the_plan_is_seen_before_it_is_carried_out(world: World, asked: list[tuple[int, int]]) -> None:
    html = signed_in(world.alice).get(reverse("web:resume", args=[world.batch.uuid])).content.decode()
    assert "At most <b>3 requests that could create something</b> would be sent." in html
    assert asked == []

    status, _ = post(world, plan_of(world.batch).digest)
    assert (status, asked) == (302, [(world.batch.pk, world.alice.pk)])


def test_another_plan_than_the_one_that_was_seen_is_not_carried_out(
    world: World, asked: list[tuple[int, int]]
) -> None:
    status, html = post(world, "another")
    assert (status, asked) == (409, [])
    assert "The plan has changed since you opened it." in html


def test_who_may_only_read_asks_for_nothing(world: World, asked: list[tuple[int, int]]) -> None:
    browser, address = signed_in(world.vic), reverse("web:resume", args=[world.batch.uuid])
    assert browser.post(address, {"plan": plan_of(world.batch).digest}).status_code == 403
    assert asked == []
    assert 'type="submit">' not in browser.get(address).content.decode().split("<main")[1]


def test_a_worker_that_cannot_be_woken_is_said(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*args: object) -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr(tasks.resume_batch, "delay", fails)
    response = signed_in(world.alice).post(
        reverse("web:resume", args=[world.batch.uuid]), {"plan": plan_of(world.batch).digest}, follow=True
    )
    assert "The worker could not be woken." in response.content.decode()


def test_what_is_not_visible_yet_says_not_before_when(world: World) -> None:
    waits = [column for column in plan_of(world.batch).columns if column.verb == "wait"]
    assert [reason.not_before is not None for column in waits for reason in column.reasons] == [True]
    assert "Not before" in page(world)


@pytest.mark.parametrize("key", ["x", "-1", "9" * 30, "0; DROP", "②"])
def test_a_page_key_that_is_none_begins_anew(alice: Browser, world: World, key: str) -> None:
    for address in (
        f"/batches/?before={key}",
        f"/cases/?after={key}",
        f"/batches/{world.batch.uuid}/?after={key}",
    ):
        assert alice.get(address).status_code == 200

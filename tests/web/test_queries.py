"""The number of queries does not grow with what a page shows."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Batch
from tests.builders import a_batch, a_delivery
from tests.web.conftest import World, signed_in

MOST = {
    "/": 20,
    "/batches/": 13,
    "/cases/": 18,
    "batch": 29,
    "batch, htmx": 23,
    "task": 21,
    "case": 34,
    "resume": 16,
}


def big(project: Project, products: int) -> Batch:
    locales = (
        "en-US",
        "de-DE",
        "fr-FR",
        "it-IT",
        "es-ES",
        "pt-PT",
        "nl-NL",
        "sv-SE",
        "pl-PL",
        "ja-JP",
        "ko-KR",
        "th-TH",
    )
    deliveries = [
        a_delivery(f"product-{number:03}", locale) for number in range(products) for locale in locales
    ]
    return a_batch(project, *deliveries, name=f"{products} products")


def queries(world: World, path: str, **headers: str) -> int:
    browser = signed_in(world.alice)
    browser.get(path, headers=headers)  # the first page of a visit writes down that one is here
    with CaptureQueriesContext(
        connection,
    ) as caught:
        assert browser.get(path, headers=headers).status_code == 200
    return len(caught)


def test_a_batch_of_360_tasks_asks_no_more_than_one_of_36(world: World) -> None:
    small, large = big(world.project, 3), big(world.project, 30)
    paths = [f"/batches/{batch.uuid}/" for batch in (small, large)]

    counts = {queries(world, path) for path in paths}
    parts = {queries(world, path, **{"hx-request": "true"}) for path in paths}
    plans = {queries(world, f"{path}resume/") for path in paths}

    assert len(counts) == len(parts) == len(plans) == 1
    assert counts.pop() <= MOST["batch"]
    assert parts.pop() <= MOST["batch, htmx"]
    assert plans.pop() <= MOST["resume"]


@pytest.mark.parametrize("path", ["/", "/batches/", "/cases/"])
def test_lists_ask_no_more_for_more_rows(world: World, path: str) -> None:
    before = queries(world, path)
    for number in range(3):
        a_batch(world.project, a_delivery(f"more-{number}"), name=f"more {number}")
    assert queries(world, path) == before
    assert before <= MOST[path]


def test_a_task_and_a_case(world: World) -> None:
    assert queries(world, f"/tasks/{world.case.action.task.uuid}/") <= MOST["task"]
    assert queries(world, f"/cases/{world.case.uuid}/") <= MOST["case"]

"""How many queries each page makes: exactly so many (query_counts.json), and no more for more rows.

A change that makes another query is seen in its diff. ``QUERY_COUNTS=write pytest tests/web/test_queries.py`` writes
the numbers down anew.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse

from once_delivery.accounts.models import Project, Role, User
from once_delivery.ledger.models import Batch
from tests.builders import a_batch, a_delivery
from tests.query_counts import written_down
from tests.web.access import cases, deliveries, doors, drills, people, review, targets, vendor_drills
from tests.web.access import help as help_pages
from tests.web.conftest import World, signed_in
from tests.web.pages import addresses, of_finance

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
COUNTS = Path(__file__).with_name("query_counts.json")
ROWS = [
    row
    for part in (doors, deliveries, cases, review, targets, people, drills, vendor_drills, help_pages)
    for row in part.ROWS
]
LOCALES = (
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


def test_every_page_makes_exactly_its_queries(world: World) -> None:
    counted: dict[str, int] = {}
    for name, path in _pages(world):
        counted[name] = max(counted.get(name, 0), queries(world, path))
    for path in of_finance(world):
        counted[_name_of(path)] = queries(world, path, who=world.people[Role.FINANCE])
    part = reverse("web:batch", args=[world.batch.uuid])
    counted["web:batch, its part"] = queries(world, part, headers={"hx-request": "true"})

    assert counted == written_down(counted, COUNTS)


def _pages(world: World) -> Iterator[tuple[str, str]]:
    """What an ops owner may open, by its name; and the pages of the walk that have a query, by name and query."""
    for row in ROWS:
        if row.method == "get" and row.expected(Role.OPS_OWNER) == 200:
            yield row.name, reverse(row.name, args=row.args(world))
    for path in addresses(world):
        yield _name_of(path), path


def _name_of(path: str) -> str:
    """The address's name and its query; IDs in that differ from run to run."""
    parts = urlsplit(path)
    name, query = resolve(parts.path).view_name, UUID.sub("…", parts.query)
    return f"{name}?{query}" if query else name


def big(project: Project, products: int) -> Batch:
    wanted = [a_delivery(f"product-{number:03}", locale) for number in range(products) for locale in LOCALES]
    return a_batch(project, *wanted, name=f"{products} products")


def queries(
    world: World, path: str, *, who: User | None = None, headers: dict[str, str] | None = None
) -> int:
    browser = signed_in(who or world.alice)
    session = browser.session
    session["confirmed_at"] = time.time()  # some pages ask for it
    session.save()
    browser.get(path, headers=headers or {})  # the first page of a visit writes down that one is here
    with CaptureQueriesContext(connection) as caught:
        answer = browser.get(path, headers=headers or {})
        b"".join(answer)  # a file streams
    assert answer.status_code == 200, path
    return len(caught)


def test_a_batch_of_360_tasks_asks_no_more_than_one_of_36(world: World) -> None:
    small, large = big(world.project, 3), big(world.project, 30)
    paths = [f"/batches/{batch.uuid}/" for batch in (small, large)]

    counts = {queries(world, path) for path in paths}
    parts = {queries(world, path, headers={"hx-request": "true"}) for path in paths}
    plans = {queries(world, f"{path}resume/") for path in paths}

    assert len(counts) == len(parts) == len(plans) == 1


@pytest.mark.parametrize("path", ["/", "/batches/", "/cases/"])
def test_lists_ask_no_more_for_more_rows(world: World, path: str) -> None:
    before = queries(world, path)
    for number in range(3):
        a_batch(world.project, a_delivery(f"more-{number}"), name=f"more {number}")
    assert queries(world, path) == before

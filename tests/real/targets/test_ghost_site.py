"""What is particular to Ghost: its key, its clock that counts seconds, its addresses, its editors."""

from __future__ import annotations

import re
import threading
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from once_delivery.targets.base import Kind, Outcome, Verdict
from tests.real.systems.ghost import DATABASE, GhostServer
from tests.real.targets.asking import Asker, a_marker, at_once
from tests.real.targets.ghost_system import GhostSystem
from tests.real.targets.updating import read

pytestmark = pytest.mark.real
DRAFT, UPDATE = Kind.CREATE_DRAFT, Kind.UPDATE_DRAFT


@pytest.fixture
def system(ghost: GhostServer) -> GhostSystem:
    return GhostSystem(ghost)


def test_a_second_create_is_told_apart(asker: Asker, system: GhostSystem) -> None:
    marker = a_marker()
    first, second = asker.perform(DRAFT, marker), asker.perform(DRAFT, marker)
    assert (first.outcome, second.outcome, second.code) == (Outcome.DONE, Outcome.UNKNOWN, "slug-suffixed")
    assert asker.look(DRAFT, marker).verdict == Verdict.FOUND_MANY


def test_who_loses_a_race_is_told_nothing(asker: Asker, system: GhostSystem) -> None:
    asker.perform(DRAFT, a_marker())
    marker = a_marker()
    answers = at_once(8, lambda _: asker.perform(DRAFT, marker))
    lost = {(one.outcome, one.code) for one in answers if one.outcome != Outcome.DONE}
    assert lost <= {(Outcome.UNKNOWN, "http-500"), (Outcome.UNKNOWN, "slug-suffixed")}
    assert lost


def test_a_request_whose_caller_has_gone_lands_later(asker: Asker, system: GhostSystem) -> None:
    """What the settle time is for."""
    asker.perform(DRAFT, a_marker())
    marker = a_marker()
    lock = threading.Thread(
        target=system.server.mariadb.sql, args=("LOCK TABLES posts WRITE; SELECT SLEEP(4)", DATABASE)
    )
    lock.start()
    time.sleep(0.5)
    answer = asker.perform(DRAFT, marker, deadline_s=1.0)
    assert (answer.outcome, answer.code) == (Outcome.UNKNOWN, "deadline")
    lock.join()
    until = time.monotonic() + 10
    while not system.held(DRAFT, marker) and time.monotonic() < until:
        time.sleep(0.1)
    assert asker.look(DRAFT, marker).verdict == Verdict.FOUND


def test_a_connector_that_does_not_know_yet_whose_key_it_has(system: GhostSystem) -> None:
    """It asks first, so that nothing was sent when it gets no answer."""
    asker, marker = Asker(system), a_marker()
    with system.paused():
        answer = asker.perform(DRAFT, marker, deadline_s=1.0)
    asker.connector.close()
    assert (answer.outcome, answer.code) == (Outcome.NOT_SENT, "deadline")
    assert system.held(DRAFT, marker) == []


@pytest.mark.parametrize(
    ("changes", "in_its_own_name", "in_the_sitemap_of"),
    [
        ({}, True, {6}),  # Ghost 5 leaves out whatever has a canonical address
        ({"slug": "schoener-kessel"}, False, set()),  # and the canonical address left as it was
        ({"slug": "sauberer-kessel", "canonical_url": None}, True, {5, 6}),
    ],
    ids=["as it is", "another slug alone", "another slug and no canonical address"],
)
def test_what_search_engines_see_of_a_published_draft(
    asker: Asker,
    system: GhostSystem,
    changes: dict[str, Any],
    in_its_own_name: bool,
    in_the_sitemap_of: set[int],
) -> None:
    marker = a_marker()
    draft = asker.perform(DRAFT, marker)
    system.change(draft.result_id, status="published", **changes)
    path = f"/{changes.get('slug', marker)}/"
    until = time.monotonic() + 10
    while system.server.page(path)[0] != 200 and time.monotonic() < until:
        time.sleep(0.1)
    (canonical,) = re.findall(r'<link rel="canonical" href="([^"]*)"', system.server.page(path)[1])
    assert (canonical == f"{system.server.base_url}{path}") is in_its_own_name
    time.sleep(1)
    assert (path in system.server.page("/sitemap-posts.xml")[1]) is (system.server.major in in_the_sitemap_of)
    if not in_its_own_name:
        assert system.server.page(f"/{marker}/")[0] == 404


def test_found_whatever_an_editor_does_to_one_of_the_signs(asker: Asker, system: GhostSystem) -> None:
    marker = a_marker()
    draft = asker.perform(DRAFT, marker, title=marker)
    for changes in (
        {"slug": "ganz-anders"},
        {"slug": marker, "canonical_url": None},
        {"status": "published"},
    ):
        system.change(draft.result_id, **changes)
        assert [one.result_id for one in asker.look(DRAFT, marker).objects] == [draft.result_id]
    system.change(draft.result_id, slug="weder-noch")
    look = asker.look(DRAFT, marker, title=marker)
    assert (look.verdict, [one.result_id for one in look.candidates]) == (Verdict.ABSENT, [draft.result_id])


@pytest.mark.parametrize("title", ['it\'s "so"', "status:draft", "a\\b", "x,y+(z)[q]~^$", "100 % _ now-1d"])
def test_a_title_that_means_something_in_a_filter(asker: Asker, system: GhostSystem, title: str) -> None:
    by_hand = system.make_by_hand(title)
    look = asker.look(DRAFT, a_marker(), title=title)
    assert (look.verdict, look.code) == (Verdict.ABSENT, "")
    assert by_hand in [one.result_id for one in look.candidates]


def test_a_copy_carries_no_marker(asker: Asker, system: GhostSystem) -> None:
    marker = a_marker()
    draft = asker.perform(DRAFT, marker)
    status, _ = system.server.ask("POST", f"/posts/{draft.result_id}/copy/")
    assert status == 201
    assert [one.result_id for one in asker.look(DRAFT, marker).objects] == [draft.result_id]


def test_an_inventory_of_changes_and_one_that_goes_on(asker: Asker) -> None:
    first = asker.perform(DRAFT, a_marker())
    time.sleep(2.1)
    since = datetime.now(UTC) - timedelta(seconds=1)
    second = asker.perform(DRAFT, a_marker())
    changed = list(asker.connector.inventory(kind=DRAFT, deadline_s=60, changed_since=since))
    assert [one.result_id for one in changed] == [second.result_id]
    everything = list(asker.connector.inventory(kind=DRAFT, deadline_s=60))
    place = next(one.place for one in everything if one.result_id == first.result_id)
    rest = list(asker.connector.inventory(kind=DRAFT, deadline_s=60, after=place))
    assert [one.result_id for one in rest] == [second.result_id]
    assert rest[0].version == read(asker, second.result_id).version


@pytest.mark.parametrize(
    "payload",
    [{"title": "x" * 300}, {"excerpt": "x" * 400}, {"featured_media": "no address"}, {"summary": "x" * 600}],
    ids=str,
)
def test_content_that_the_site_refuses(asker: Asker, payload: dict[str, Any]) -> None:
    marker = a_marker()
    answer = asker.perform(DRAFT, marker, **payload)
    assert (answer.outcome, answer.code) == (Outcome.REFUSED, "http-422"), answer
    assert asker.system.held(DRAFT, marker) == []

"""Updating drafts at Ghost, which counts changes by the second."""

from __future__ import annotations

import threading
import time

import pytest

from once_delivery.targets import updating
from once_delivery.targets.base import Connection, Kind, Outcome, Verdict
from once_delivery.targets.registry import connect
from tests.real.systems.ghost import GhostServer
from tests.real.targets.asking import Asker, a_marker, at_once
from tests.real.targets.ghost_system import GhostSystem
from tests.real.targets.updating import asked, made, read, update

pytestmark = pytest.mark.real
DRAFT = Kind.CREATE_DRAFT


@pytest.fixture
def system(ghost: GhostServer) -> GhostSystem:
    return GhostSystem(ghost)


def in_a_fresh_second() -> None:
    """So that what follows happens within one."""
    time.sleep(1.02 - time.time() % 1)


def test_ghost_itself_lets_two_changes_within_one_second_pass(asker: Asker, system: GhostSystem) -> None:
    """Why the connector reads before it writes."""
    asker.perform(DRAFT, a_marker())
    for _attempt in range(5):
        in_a_fresh_second()
        original = made(asker)
        system.edit(original.result_id, "An editor's own words")
        stale = {"title": "Ours", "updated_at": original.version.partition("/")[0]}
        status, _ = system.server.ask("PUT", f"/posts/{original.result_id}/", {"posts": [stale]})
        if status == 200:
            return
    pytest.fail("in five seconds no two changes fell into one")


def test_an_editors_change_within_the_second_is_left_alone(asker: Asker, system: GhostSystem) -> None:
    asker.perform(DRAFT, a_marker())
    for _round in range(3):
        in_a_fresh_second()
        original = made(asker)
        system.edit(original.result_id, "An editor's own words")
        answer = update(asker, original)
        assert (answer.outcome, answer.code) == (Outcome.EXISTS, updating.CHANGED), answer
        assert read(asker, original.result_id).content["title"] == "An editor's own words"


def test_an_editor_while_we_wait_for_the_second_to_end(asker: Asker, system: GhostSystem) -> None:
    asker.perform(DRAFT, a_marker())
    original = made(asker)
    editor = threading.Timer(1.0, system.edit, [original.result_id, "An editor's own words"])
    editor.start()
    answer = update(asker, original)
    editor.join()
    assert answer.outcome == Outcome.EXISTS, answer
    assert read(asker, original.result_id).content["title"] == "An editor's own words"


def test_many_updates_of_one_state_at_once(asker: Asker) -> None:
    original = made(asker)
    answers = at_once(8, lambda number: update(asker, original, title=f"Text {number}"))
    done = [number for number, answer in enumerate(answers) if answer.outcome == Outcome.DONE]
    assert len(done) == 1, answers
    assert {one.outcome for one in answers} == {Outcome.DONE, Outcome.EXISTS}, answers
    assert read(asker, original.result_id).content["title"] == f"Text {done[0]}"


def test_an_update_of_what_readers_see_is_for_a_person(asker: Asker, system: GhostSystem) -> None:
    original = made(asker)
    system.change(original.result_id, status="published")
    assert (update(asker, original).code, asked(asker, original).code) == (updating.PUBLISHED,) * 2
    known = system.connection()
    able = {"admin_api_key": system.server.keys["integration"]}  # Ghost would let it
    asker.connector.close()
    asker.connector = connect("ghost", Connection(known.base_url, known.declaration, able, allow_inside=True))
    assert update(asker, original).code == updating.PUBLISHED
    answer = asker.connector.remove(kind=DRAFT, result_id=original.result_id, deadline_s=20)
    assert (answer.outcome, answer.code) == (Outcome.REFUSED, updating.PUBLISHED)


def test_a_body_whose_spaces_ghost_loses_is_known_again(asker: Asker, system: GhostSystem) -> None:
    original = made(asker)
    body = "<p>Ein <small>kleiner</small> <mark>roter</mark> Kessel</p><script>x()</script>"
    system.body = body
    assert update(asker, original).outcome == Outcome.DONE
    assert "Einkleiner" in read(asker, original.result_id).content["body"]
    assert asked(asker, original).verdict == Verdict.FOUND


def test_an_empty_body_empties_the_draft(asker: Asker, system: GhostSystem) -> None:
    original = made(asker)
    system.body = " "
    assert update(asker, original).outcome == Outcome.DONE
    assert read(asker, original.result_id).content["body"] == ""

"""Changing and deleting a draft at Ghost, by captured answers."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.targets import updating
from once_delivery.targets.base import Kind, Original, Outcome
from tests.fakes.scripted_server import answered
from tests.targets.ghost_answers import (
    HTML,
    ID,
    MARKER,
    OTHER,
    STATE,
    error,
    listed,
    original,
    post,
    site,
    update,
)


def test_an_update_is_for_the_state_that_was_seen() -> None:
    before = original()
    after = post(title="Kessel 2", updated_at="2026-11-29T20:38:41.000Z")
    said, (_, sent) = update(
        before, listed(post()), answered({"posts": [after]}), slug="x", status="published"
    )
    assert (said.outcome, said.result_id, said.marker) == (Outcome.DONE, ID, MARKER)
    assert (sent.method, sent.path) == ("PUT", f"/ghost/api/admin/posts/{ID}/")
    assert sent.json == {"posts": [{"title": "Kessel 2", "html": "<p>y</p>", "updated_at": STATE}]}
    assert said.version != before.version


def test_an_empty_body_is_sent_as_one() -> None:
    _, (_, sent) = update(original(), listed(post()), answered({"posts": [post()]}), body="")
    assert sent.json["posts"][0]["html"] == "<p></p>"


@pytest.mark.parametrize(
    ("held", "code"),
    [
        (post(title="An editor's"), updating.CHANGED),  # in the same second: Ghost itself would let it pass
        (post(lexical='{"x": 1}'), updating.CHANGED),
        (post(title="An editor's", updated_at="2026-11-29T20:38:09.000Z"), updating.CHANGED),
        (post(status="published", updated_at="2026-11-29T20:38:09.000Z"), updating.PUBLISHED),
        (post(OTHER), updating.FOREIGN),
        (None, updating.GONE),
        (post(title="Kessel 2", html="<p>y</p>", updated_at="2026-11-29T20:38:09.000Z"), "already-updated"),
    ],
)
def test_what_holds_an_update_back(held: dict[str, Any] | None, code: str) -> None:
    said, requests = update(original(), listed(held) if held else listed())
    assert (said.outcome, said.code) == (Outcome.EXISTS, code)
    assert {one.method for one in requests} == {"GET"}


def test_a_second_that_is_not_over_is_waited_for() -> None:
    """An editor's change in it would look to Ghost like the state that we saw."""
    fresh = {"updated_at": "2026-11-29T20:38:39.000Z"}
    said, requests = update(
        original(**fresh), listed(post(**fresh)), listed(post(title="An editor's", **fresh))
    )
    assert (said.outcome, said.code) == (Outcome.EXISTS, updating.CHANGED)
    assert [one.method for one in requests] == ["GET", "GET"]


@pytest.mark.parametrize(
    ("answer", "outcome", "code"),
    [
        (error(409, "Saving failed!", "UPDATE_COLLISION"), Outcome.EXISTS, "update-collision"),
        (error(404, "Post not found."), Outcome.EXISTS, updating.GONE),
        (error(403), Outcome.REFUSED, "http-403"),
        (error(422), Outcome.REFUSED, "http-422"),
        (error(500), Outcome.UNKNOWN, "http-500"),
        (answered({"posts": [post(id="6b0c8d2f2251370ad152d13f")]}), Outcome.UNKNOWN, "wrong-id"),
        (answered({"posts": [post(OTHER)]}), Outcome.UNKNOWN, "marker-mismatch"),
        (answered({"posts": []}), Outcome.UNKNOWN, "no-id"),
    ],
)
def test_what_an_answer_to_an_update_proves(answer: bytes, outcome: Outcome, code: str) -> None:
    said, _ = update(original(), listed(post()), answer)
    assert (said.outcome, said.code) == (outcome, code)


def test_an_update_needs_a_version() -> None:
    said, requests = update(Original(ID, MARKER, ""), listed(post()))
    assert (said.code, requests) == ("version-unknown", [])


@pytest.mark.parametrize(
    ("answers", "outcome", "code"),
    [
        ([listed(post()), answered(b"", 204)], Outcome.DONE, "http-204"),
        ([listed(post()), error(403)], Outcome.REFUSED, "http-403"),
        ([listed(post()), HTML], Outcome.UNKNOWN, "html"),
        ([listed(post(status="published"))], Outcome.REFUSED, updating.PUBLISHED),
        ([listed()], Outcome.REFUSED, "not-found"),
    ],
)
def test_removing(answers: list[bytes], outcome: Outcome, code: str) -> None:
    with site(*answers) as (connector, _):
        said = connector.remove(kind=Kind.CREATE_DRAFT, result_id=ID, deadline_s=2)
    assert (said.outcome, said.code) == (outcome, code)

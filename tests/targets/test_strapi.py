"""Strapi's answers to what has an effect, as they were captured from 5.54.0. The real one: tests/real."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from once_delivery.targets import updating
from once_delivery.targets.base import (
    EffectRequest,
    FileBytes,
    Outcome,
)
from tests.fakes.scripted_server import answered
from tests.targets.strapi_site import (
    DECLARATION,
    DRAFT,
    FILE,
    HTML,
    MARKER,
    OTHER,
    PLUGGED,
    THEN,
    TOKEN,
    listed,
    live,
    made,
    perform,
    query,
    refused,
    row,
    site,
    stored,
    update,
)

PUBLISHING = {"status": "published", "publishedAt": THEN, "published_at": THEN, "external_ref": OTHER}


def test_what_is_sent_never_publishes() -> None:
    said, sent = perform(made(row()), **PUBLISHING)
    assert (said.outcome, said.result_id, said.version) == (Outcome.DONE, "doc-a", THEN)
    assert (sent.method, sent.path) == ("POST", "/api/articles")
    assert query(sent.target) == {"status": "draft", "locale": "de"}
    assert sent.json == {
        "data": {"title": "Kessel", "body": "x", "external_ref": MARKER, "publishedAt": None}
    }


def test_what_is_sent_to_the_plugin_never_publishes() -> None:
    said, sent = perform(made(row()), declaration=PLUGGED, **PUBLISHING)
    assert said.outcome == Outcome.DONE
    assert (sent.method, sent.path) == ("PUT", f"/api/once/drafts/articles/{MARKER}")
    assert query(sent.target) == {"status": "draft", "locale": "de"}
    assert sent.json == {"data": {"title": "Kessel", "body": "x"}}


@pytest.mark.parametrize(
    ("_case", "answer", "outcome", "code"),
    [
        ("created", made(row()), Outcome.DONE, "http-201"),
        ("other marker", made(row(OTHER)), Outcome.UNKNOWN, "marker-mismatch"),
        ("no marker", made(row(None)), Outcome.UNKNOWN, "marker-missing"),
        ("no ID", made(row(documentId=None)), Outcome.UNKNOWN, "no-id"),
        ("nothing", made(None), Outcome.UNKNOWN, "no-id"),
        ("Strapi 4", made({"id": 1, "attributes": {"title": "Kessel"}}), Outcome.UNKNOWN, "strapi-4"),
        ("200", answered({"data": row()}), Outcome.UNKNOWN, "http-200"),
        ("race, plugin", refused(409, "ConflictError", "already-exists"), Outcome.EXISTS, "already-exists"),
        ("race, index", refused(500, "InternalServerError"), Outcome.UNKNOWN, "http-500"),
        ("content", refused(400, "ValidationError"), Outcome.REFUSED, "http-400"),
        ("token", refused(401, "UnauthorizedError"), Outcome.REFUSED, "http-401"),
        ("rights", refused(403), Outcome.REFUSED, "http-403"),
        ("policy", refused(403, "PolicyError"), Outcome.REFUSED, "http-403"),
        ("type", refused(404, "NotFoundError"), Outcome.REFUSED, "http-404"),
        ("size", refused(413, "PayloadTooLargeError"), Outcome.REFUSED, "http-413"),
        ("somebody else's", answered({"message": "no"}, 403), Outcome.UNKNOWN, "http-403"),
        ("another status", answered({"error": {"status": 404, "name": "x"}}, 400), Outcome.UNKNOWN, "http-400"),
        ("panel", HTML, Outcome.UNKNOWN, "html"),
        ("proxy", answered("<html>", 403, content_type="text/html"), Outcome.UNKNOWN, "html"),
        ("gateway", answered("<html>", 504, content_type="text/html"), Outcome.UNKNOWN, "html"),
        ("busy", answered({}, 503, retry_after="3"), Outcome.UNKNOWN, "http-503"),
        ("too many", answered({}, 429, retry_after="3"), Outcome.NOT_DONE, "http-429"),
        ("nothing", answered("", 302, location="/admin"), Outcome.UNKNOWN, "empty-body"),
    ],
)  # fmt: skip
def test_what_an_answer_proves(_case: str, answer: bytes, outcome: Outcome, code: str) -> None:
    said, _ = perform(answer)
    assert (said.outcome, said.code) == (outcome, code)
    assert TOKEN not in repr(said)


def test_what_was_published_all_the_same_is_told() -> None:
    """A type without drafts."""
    said, _ = perform(made(live()))
    assert (said.outcome, said.detail) == (Outcome.DONE, "status published")


def test_a_language_that_nobody_declared_is_not_sent() -> None:
    """Strapi stores drafts in languages that the site does not have."""
    said, sent = perform(made(row()), locale="ja-JP")
    assert (said.outcome, said.code, sent) == (Outcome.REFUSED, "locale-not-declared", None)


def test_the_plugin_compares_before_it_saves() -> None:
    said, (sent,) = update(answered({"data": row(title="Neu")}), declaration=PLUGGED)
    assert (said.outcome, said.result_id, said.marker) == (Outcome.DONE, "doc-a", MARKER)
    assert (sent.method, sent.path) == ("PATCH", "/api/once/drafts/articles/doc-a")
    assert sent.json == {"data": {"title": "Neu", "body": "x"}, "marker": MARKER, "version": THEN}


def test_without_the_plugin_a_draft_is_read_before_it_is_changed() -> None:
    said, requests = update(
        listed(row(), row(locale="fr", createdAt="2026-12-01T00:00:00.000Z")),
        listed(),
        answered({"data": row(title="Neu")}),
    )
    assert (said.outcome, said.result_id) == (Outcome.DONE, "doc-a")
    assert [one.method for one in requests] == ["GET", "GET", "PUT"]
    assert query(requests[-1].target) == {"status": "draft", "locale": "de"}
    assert requests[-1].json == {"data": {"title": "Neu", "body": "x"}}


@pytest.mark.parametrize(
    ("answers", "outcome", "code"),
    [
        ([listed(row(updatedAt="later")), listed()], Outcome.EXISTS, updating.CHANGED),
        ([listed(row(updatedAt="later", title="Neu")), listed()], Outcome.EXISTS, "already-updated"),
        ([listed(row()), listed(live())], Outcome.EXISTS, updating.PUBLISHED),
        ([listed(row(OTHER)), listed()], Outcome.EXISTS, updating.FOREIGN),
        ([listed(row(None)), listed()], Outcome.EXISTS, updating.FOREIGN),
        ([listed(), listed()], Outcome.EXISTS, updating.GONE),
        ([refused(403)], Outcome.REFUSED, "forbidden"),
        ([refused(500)], Outcome.NOT_SENT, "http-500"),
        ([listed(row()), listed(), refused(404)], Outcome.EXISTS, updating.GONE),
        ([listed(row()), listed(), refused(500)], Outcome.UNKNOWN, "http-500"),
    ],
)
def test_what_is_not_updated(answers: list[bytes], outcome: Outcome, code: str) -> None:
    said, _ = update(*answers)
    assert (said.outcome, said.code) == (outcome, code)


@pytest.mark.parametrize("code", [updating.GONE, updating.CHANGED, updating.PUBLISHED])
def test_the_plugins_word_on_an_update(code: str) -> None:
    said, _ = update(refused(404 if code == updating.GONE else 409, code=code), declaration=PLUGGED)
    assert (said.outcome, said.code) == (Outcome.EXISTS, code)


def test_a_type_that_the_plugin_does_not_know_is_no_draft_that_has_gone() -> None:
    said, _ = update(refused(404, code="type-not-ready"), declaration=PLUGGED)
    assert (said.outcome, said.code) == (Outcome.REFUSED, "http-404")


def test_the_draft_that_carries_the_originals_marker_is_the_one_that_is_updated() -> None:
    """Of a document whose languages carry two."""
    older = row(OTHER, locale="fr", createdAt="2025-01-01T00:00:00.000Z")
    said, requests = update(listed(older, row()), listed(), answered({"data": row(title="Neu")}))
    assert said.outcome == Outcome.DONE
    assert query(requests[-1].target)["locale"] == "de"


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (answered("", 204), Outcome.DONE),
        (answered({"data": {"documentId": "doc-a"}}), Outcome.DONE),
        (refused(403), Outcome.REFUSED),
        (refused(409, code="not-removable"), Outcome.REFUSED),
        (refused(500), Outcome.UNKNOWN),
        (HTML, Outcome.UNKNOWN),
        (answered({"message": "no"}, 403), Outcome.UNKNOWN),
    ],
)
def test_removing(answer: bytes, outcome: Outcome) -> None:
    with site(answer) as (connector, server):
        said = connector.remove(kind=DRAFT, result_id="doc/a?b", deadline_s=2)
    assert said.outcome == outcome
    assert server.requests[0].target == "/api/articles/doc%2Fa%3Fb?locale=%2A"


@pytest.mark.parametrize("declaration", [DECLARATION, PLUGGED], ids=["plain", "plugin"])
def test_an_upload(declaration: dict[str, Any]) -> None:
    picture = FileBytes("Kessel.PNG", "image/png", hashlib.sha256(b"x").hexdigest(), b"x")
    payload = {"file": {"sha256": picture.sha256}, "alt": "Ein Kessel", "name": "anders.exe"}
    request = EffectRequest(FILE, MARKER, "", "", payload, 2, {picture.sha256: picture})
    with site(answered([stored()], 201), declaration=declaration) as (connector, server):
        said = connector.perform(request)
    (sent,) = server.requests
    assert (said.outcome, said.result_id, said.marker) == (Outcome.DONE, "7", MARKER)
    assert said.url == f"{server.url}/uploads/once_aaaaaaaaaaaaaaaaaaaaaaaaaa_d55a7651c1.png"
    assert f'{{"alternativeText": "Ein Kessel", "name": "{MARKER}.png"}}'.encode() in sent.body
    assert sent.path == ("/api/upload" if declaration == DECLARATION else f"/api/once/files/{MARKER}")


@pytest.mark.parametrize("answer", [answered([], 201), answered([stored(), stored()], 201), made(stored())])
def test_an_upload_without_one_file_in_its_answer(answer: bytes) -> None:
    picture = FileBytes("x", "image/png", "0" * 64, b"x")
    request = EffectRequest(FILE, MARKER, "", "", {"file": {"sha256": "0" * 64}}, 2, {"0" * 64: picture})
    with site(answer) as (connector, _):
        said = connector.perform(request)
    assert (said.outcome, said.code) == (Outcome.UNKNOWN, "no-id")

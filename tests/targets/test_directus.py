"""Directus's answers to writes, as they were captured from 11.17.4. The real one: tests/real."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.common.errors import InvalidInputError
from once_delivery.targets.base import Connection, Kind, Original, Outcome
from once_delivery.targets.directus.connector import connect
from tests.fakes.scripted_server import answered
from tests.targets.directus_project import (
    BY_MARKER,
    CREATED,
    DATE,
    DECLARATION,
    FORBIDDEN,
    HTML,
    MARKER,
    OTHER,
    OTHER_ID,
    OUR_ID,
    TOKEN,
    UNAUTHORIZED,
    UPDATED,
    data,
    error,
    file_row,
    item,
    perform,
)


def test_what_is_sent_is_a_draft_under_our_id() -> None:
    said, sent = perform(
        answered({"data": item()}),
        status="published",
        id=OTHER_ID,
        external_ref=OTHER,
        client_id=OUR_ID.upper(),
    )
    assert (said.outcome, said.result_id, said.version) == (Outcome.DONE, OUR_ID, CREATED)
    assert (sent.method, sent.target) == ("POST", "/items/articles")
    assert sent.json == {
        "id": OUR_ID, "external_ref": MARKER, "status": "draft", "title": "Kessel", "body": "<p>x</p>",
    }  # fmt: skip


def test_without_ids_of_ours_the_marker_alone_is_sent() -> None:
    said, sent = perform(answered({"data": item(id=7)}), declaration=BY_MARKER)
    assert (said.outcome, said.result_id, "id" in sent.json) == (Outcome.DONE, "7", False)


def test_the_fields_of_a_file_stand_before_it() -> None:
    said, sent = perform(answered({"data": file_row()}), kind=Kind.UPLOAD_FILE, alt="Rot", title=None)
    names = [part.split(b'"')[1] for part in sent.body.split(b"form-data; name=")[1:]]
    assert names == [b"description", b"external_ref", b"id", b"title", b"file"]
    assert (said.outcome, said.result_id, sent.target) == (Outcome.DONE, OUR_ID, "/files")


@pytest.mark.parametrize(
    ("version", "state"),
    [
        (UPDATED, [{"date_updated": {"_eq": DATE}}]),
        (CREATED, [{"date_updated": {"_null": True}}, {"date_created": {"_eq": DATE}}]),
    ],
)
def test_an_update_is_for_one_state_of_one_draft_of_ours(version: str, state: list[Any]) -> None:
    said, sent = perform(
        answered({"data": [item(OTHER, date_updated="2026-11-29T21:00:00.000Z")]}),
        kind=Kind.UPDATE_DRAFT,
        original=Original(OUR_ID, OTHER, version),
        status="published",
    )
    assert (said.outcome, said.version) == (Outcome.DONE, "updated 2026-11-29T21:00:00.000Z")
    assert (sent.method, sent.target) == ("PATCH", "/items/articles")
    ours = [{"id": {"_eq": OUR_ID}}, {"external_ref": {"_eq": OTHER}}, {"status": {"_eq": "draft"}}]
    assert sent.json == {
        "query": {"filter": {"_and": [*ours, *state]}, "limit": 1},
        "data": {"title": "Kessel", "body": "<p>x</p>", "status": "draft"},
    }


PRESSURE = {"service": "api", "reason": "Under pressure"}


@pytest.mark.parametrize(
    ("_case", "answer", "outcome", "code"),
    [
        ("created", answered({"data": item()}), Outcome.DONE, "http-200"),
        ("other marker", answered({"data": item(OTHER)}), Outcome.UNKNOWN, "marker-mismatch"),
        ("no marker", answered({"data": item(None)}), Outcome.UNKNOWN, "marker-missing"),
        ("other ID", answered({"data": item(id=OTHER_ID)}), Outcome.UNKNOWN, "id-mismatch"),
        ("no ID", answered({"data": item(id=None)}), Outcome.UNKNOWN, "no-id"),
        ("no object", answered({"data": None}), Outcome.UNKNOWN, "no-id"),
        ("may not read it", answered("", 204), Outcome.UNKNOWN, "empty-body"),
        ("our ID", error("RECORD_NOT_UNIQUE", field="id"), Outcome.EXISTS, "already-exists"),
        ("our marker", error("RECORD_NOT_UNIQUE", field="external_ref"), Outcome.EXISTS, "already-exists"),
        ("unnamed", error("RECORD_NOT_UNIQUE", field=None), Outcome.EXISTS, "perhaps-exists"),
        ("its slug", error("RECORD_NOT_UNIQUE", field="slug"), Outcome.REFUSED, "not-unique"),
        ("published", error("FAILED_VALIDATION", field="status"), Outcome.REFUSED, "http-400"),
        ("rights", FORBIDDEN, Outcome.REFUSED, "http-403"),
        ("token", UNAUTHORIZED, Outcome.REFUSED, "http-401"),
        ("fault", error("INTERNAL_SERVER_ERROR", 500), Outcome.UNKNOWN, "http-500"),
        ("proxy", HTML, Outcome.UNKNOWN, "html"),
        ("too many", answered({}, 429, retry_after="3"), Outcome.NOT_DONE, "http-429"),
        ("log-in", answered("", 302, location="/admin/login"), Outcome.UNKNOWN, "empty-body"),
    ],
)  # fmt: skip
def test_what_an_answer_proves(_case: str, answer: bytes, outcome: Outcome, code: str) -> None:
    said, _ = perform(answer)
    assert (said.outcome, said.code) == (outcome, code)
    assert TOKEN not in repr(said)


@pytest.mark.parametrize(
    ("outcome", "more", "headers"),
    [
        (Outcome.NOT_DONE, PRESSURE, {"Retry-After": "5"}),
        (Outcome.UNKNOWN, PRESSURE, {}),
        (
            Outcome.UNKNOWN,
            {"service": "files"},
            {"Retry-After": "5"},
        ),  # its bytes were not stored; its row was
    ],
)
def test_503_is_not_done_only_when_it_comes_before_everything(
    outcome: Outcome, more: dict[str, str], headers: dict[str, str]
) -> None:
    document = {"errors": [{"message": "…", "extensions": {"code": "SERVICE_UNAVAILABLE", **more}}]}
    said, _ = perform(answered(document, 503, headers=headers))
    assert (said.outcome, said.retry_after_s) == (outcome, 5.0 if headers else None)


def test_where_the_marker_is_not_unique_any_clash_may_be_our_own_draft() -> None:
    said, _ = perform(error("RECORD_NOT_UNIQUE", field="slug"), declaration=BY_MARKER)
    assert (said.outcome, said.code) == (Outcome.EXISTS, "perhaps-exists")


@pytest.mark.parametrize(
    ("answer", "outcome", "code"),
    [
        (data(), Outcome.EXISTS, "not-as-it-was"),
        (answered({"data": [item(), item()]}), Outcome.UNKNOWN, "no-id"),
        (answered({"data": [item(OTHER)]}), Outcome.UNKNOWN, "marker-mismatch"),
        (error("RECORD_NOT_UNIQUE", field="slug"), Outcome.REFUSED, "not-unique"),
        (FORBIDDEN, Outcome.REFUSED, "http-403"),
        (answered("", 204), Outcome.UNKNOWN, "empty-body"),
    ],
)
def test_what_an_answer_to_an_update_proves(answer: bytes, outcome: Outcome, code: str) -> None:
    said, _ = perform(answer, kind=Kind.UPDATE_DRAFT, original=Original(OUR_ID, MARKER, CREATED))
    assert (said.outcome, said.code) == (outcome, code)


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("payload-missing", {"title": " "}),
        ("payload-unsayable", {"body": "a\0b"}),
        ("payload-unsayable", {"featured_media": {"title": "an item of its own"}}),
        ("payload-unsayable", {"featured_media": [{"title": "an item of its own"}]}),
        ("client-id-missing", {"client_id": ""}),
        ("version-unknown", {"kind": Kind.UPDATE_DRAFT, "original": Original(OUR_ID, MARKER, "")}),
        ("original-missing", {"kind": Kind.UPDATE_DRAFT}),
        ("kind-not-declared", {"kind": Kind.START_JOB}),
        ("payload-missing", {"kind": Kind.UPLOAD_FILE, "file": None}),
        ("kind-not-declared", {"kind": Kind.UPLOAD_FILE, "declaration": {**DECLARATION, "file_marker_field": None}}),
    ],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_sent_is_not(code: str, changes: dict[str, Any]) -> None:
    said, sent = perform(data(), **changes)
    assert (said.outcome, said.code, sent) == (Outcome.REFUSED, code, None)


@pytest.mark.parametrize(
    ("declaration", "pointer"),
    [
        ({}, "/"),
        ({"collection": "directus_users"}, "/collection"),
        ({"collection": "a/b"}, "/collection"),
        ({**DECLARATION, "marker_field": "a.b"}, "/marker_field"),
        ({**DECLARATION, "fields": {"state": "status"}}, "/fields/state"),
        ({**DECLARATION, "fields": {"ref": "external_ref"}}, "/fields/ref"),
        ({**DECLARATION, "fields": {"key": "id"}}, "/fields/key"),
        ({**DECLARATION, "file_fields": {"key": "id"}}, "/file_fields/key"),
        ({**DECLARATION, "file_fields": {"ref": "external_ref"}}, "/file_fields/ref"),
        ({**DECLARATION, "folder": "pictures"}, "/folder"),
        ({**DECLARATION, "admin_path": "/admin?x"}, "/admin_path"),
    ],
    ids=str,
)
def test_a_declaration_that_does_not_fit(declaration: dict[str, Any], pointer: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        connect(Connection("http://cms.example", declaration, {"token": TOKEN}))
    assert pointer in [problem.pointer for problem in caught.value.problems]


def test_a_token_is_needed() -> None:
    with pytest.raises(InvalidInputError) as caught:
        connect(Connection("http://cms.example", DECLARATION))
    assert caught.value.problems[0].pointer == "/credentials/token"

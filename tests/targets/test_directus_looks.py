"""Directus's answers to reads, as they were captured from 11.17.4. The real one: tests/real."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any
from urllib.parse import parse_qs

import pytest

from once_delivery.targets.base import InventoryError, Kind, LookUpRequest, Outcome, Verdict
from tests.fakes.scripted_server import answered
from tests.targets.directus_project import (
    BY_MARKER,
    CREATED,
    DATE,
    FORBIDDEN,
    HTML,
    MARKER,
    OTHER,
    OTHER_ID,
    OUR_ID,
    UNAUTHORIZED,
    data,
    file_row,
    item,
    look,
    perform,
    project,
    rights,
)


def test_found() -> None:
    seen = look(data(item()))
    assert (seen.verdict, seen.complete, seen.method) == (Verdict.FOUND, True, "id+marker")
    (found,) = seen.objects
    assert (found.result_id, found.marker, found.status, found.version) == (OUR_ID, MARKER, "draft", CREATED)
    assert found.content == {"title": "Kessel", "body": "<p>x</p>"}


def test_found_twice() -> None:
    """Where nothing keeps a second one away: an editor's "save as copy" takes the marker along."""
    seen = look(data(item(id=7), item(id=8)), declaration=BY_MARKER)
    assert (seen.verdict, seen.method, len(seen.objects)) == (Verdict.FOUND_MANY, "marker", 2)


def test_absent_when_the_account_sees_everything() -> None:
    seen = look(data(), rights())
    assert (seen.verdict, seen.complete) == (Verdict.ABSENT, True)
    named = ("id", "external_ref", "status", "title", "body", "image", "date_created", "date_updated")
    assert look(data(), rights(fields=named)).verdict == Verdict.ABSENT


@pytest.mark.parametrize(
    ("code", "answers"),
    [
        ("sees-only-part", [data(), rights("partial")]),
        ("forbidden", [data(), rights("none")]),
        ("forbidden", [data(), rights(of="notes")]),
        ("forbidden", [data(), answered({"data": []})]),  # an account without any right
        ("forbidden", [data(), rights(fields=["id", "title"])]),
        ("unauthorized", [data(), UNAUTHORIZED]),
        ("forbidden", [FORBIDDEN]),
        ("unauthorized", [UNAUTHORIZED]),
        ("rate-limited", [answered({}, 429, retry_after="3")]),
        ("rate-limited", [answered({}, 429, retry_after=f"Sun, 29 Nov 2026 20:38:40 +{10**20}")]),
        ("http-502", [HTML]),
        ("html", [answered("<html>log in</html>", content_type="text/html")]),
        ("redirect", [answered("", 302, location="/login")]),
        ("filter-ignored", [data(item(OTHER, id=OTHER_ID))]),
        ("marker-mismatch", [data(item(OTHER))]),
        ("marker-mismatch", [data(item(None))]),
        ("unreadable-page", [answered({"data": None, "meta": {"filter_count": 0}})]),
        ("unreadable-page", [answered({"data": []})]),  # no count
        ("unreadable-item", [data(item(id=None))]),
        ("total-mismatch", [data(count=2)]),
    ],
)
def test_what_proves_nothing(code: str, answers: list[bytes]) -> None:
    seen = look(*answers)
    assert (seen.verdict, seen.code, seen.complete, seen.objects) == (Verdict.CANNOT_TELL, code, False, ())


@pytest.mark.parametrize("kind", [Kind.CREATE_DRAFT, Kind.UPDATE_DRAFT])
def test_a_draft_is_read_by_its_id(kind: Kind) -> None:
    with project(data(item(None, status="published"))) as (connector, _):
        seen = connector.read(kind=kind, result_id=OUR_ID, deadline_s=2)
    assert [(one.result_id, one.marker, one.status) for one in seen.objects] == [(OUR_ID, None, "published")]


def test_a_row_without_bytes_is_no_file() -> None:
    seen = look(data(file_row(filesize=None)), kind=Kind.UPLOAD_FILE)
    assert (seen.verdict, seen.code) == (Verdict.CANNOT_TELL, "file-incomplete")
    assert [(one.result_id, one.status) for one in seen.candidates] == [(OUR_ID, "incomplete")]
    said, _ = perform(answered({"data": file_row(filesize=None)}), kind=Kind.UPLOAD_FILE)
    assert (said.outcome, said.code) == (Outcome.UNKNOWN, "file-incomplete")


def test_no_question_is_asked_twice() -> None:
    """A cache that no write clears would answer it."""
    with project(data(), rights(), data(), rights()) as (connector, server):
        for _ in range(2):
            assert (
                connector.look_up(LookUpRequest(Kind.CREATE_DRAFT, MARKER, OUR_ID, 2)).verdict
                == Verdict.ABSENT
            )
        asked = [one.target for one in server.requests]
    assert len(set(asked)) == len(asked) == 4


@pytest.mark.parametrize("result_id", ["../users", "1 or 1", "", OUR_ID.upper(), "9" * 30])
def test_what_is_no_id_stands_in_no_address(result_id: str) -> None:
    with project(data()) as (connector, server):
        seen = connector.read(kind=Kind.CREATE_DRAFT, result_id=result_id, deadline_s=2)
        said = connector.remove(kind=Kind.CREATE_DRAFT, result_id=result_id, deadline_s=2)
        assert server.requests == []
    assert (seen.verdict, seen.code, said.code) == (Verdict.CANNOT_TELL, "bad-id", "bad-id")


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (answered("", 204), Outcome.DONE),
        (FORBIDDEN, Outcome.REFUSED),
        (HTML, Outcome.UNKNOWN),
        (answered("<html>", content_type="text/html"), Outcome.UNKNOWN),
    ],
)
def test_removing(answer: bytes, outcome: Outcome) -> None:
    with project(answer) as (connector, server):
        said = connector.remove(kind=Kind.CREATE_DRAFT, result_id=OUR_ID, deadline_s=2)
        assert [(one.method, one.target) for one in server.requests] == [
            ("DELETE", f"/items/articles/{OUR_ID}")
        ]
    assert said.outcome == outcome


def inventory(*answers: bytes, **how: Any) -> tuple[list[str], list[list[dict[str, Any]]]]:
    """The IDs, and the filters that were asked for."""
    with project(*answers) as (connector, server):
        found = list(connector.inventory(kind=Kind.CREATE_DRAFT, deadline_s=2, **how))
        queries = [parse_qs(one.target.partition("?")[2]) for one in server.requests]
    filters = [json.loads(query["filter"][0])["_and"] for query in queries]
    return [one.result_id for one in found], filters


def test_an_inventory_begins_each_page_where_the_last_one_ended() -> None:
    later = "2026-11-30T00:00:00.000Z"
    first, second = item(), item(id=OTHER_ID, date_created=later)
    ids, filters = inventory(data(), data(first), data(first, second), data(second), data(), rights())
    assert ids == [OUR_ID, OTHER_ID]
    since = [one[0]["date_created"] for one in filters[2:5]]
    assert since == [{"_gte": DATE}, {"_gte": later}, {"_gte": later}]


def test_an_inventory_goes_on_behind_a_place() -> None:
    ids, filters = inventory(
        data(), data(item(), item(id=OTHER_ID)), data(), rights(), after=f"{DATE} {OUR_ID}"
    )
    assert ids == [OTHER_ID]
    assert filters[1][0] == {"date_created": {"_gte": DATE}}


def test_an_inventory_of_changes_asks_for_both_dates() -> None:
    since = datetime(2026, 11, 29, 21, tzinfo=timezone(timedelta(hours=1)))
    _, filters = inventory(data(), data(), rights(), changed_since=since)
    moment = {"_gte": "2026-11-29T20:00:00.000Z"}
    assert filters[1][0]["_or"][:2] == [{"date_updated": moment}, {"date_created": moment}]


@pytest.mark.parametrize(
    ("code", "answers", "how"),
    [
        ("sees-only-part", [data(), data(), rights("partial")], {}),
        ("forbidden", [FORBIDDEN], {}),
        ("unauthorized", [data(), data(item()), UNAUTHORIZED], {}),
        ("unreadable-item", [data(), data(item(id=None))], {}),
        ("unreadable-page", [data(), answered([])], {}),
        ("cannot-go-on", [data()], {"after": "7"}),
    ],
)
def test_an_inventory_that_is_not_everything_is_cut(
    code: str, answers: list[bytes], how: dict[str, Any]
) -> None:
    with pytest.raises(InventoryError) as caught:
        inventory(*answers, **how)
    assert caught.value.code == code

"""Looking in Strapi: what is one object, what proves that there is none, what proves nothing."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.targets.base import (
    InventoryError,
    Kind,
    LookUpRequest,
    Verdict,
)
from tests.fakes.scripted_server import answered
from tests.targets.strapi_site import (
    DRAFT,
    FILE,
    HTML,
    MARKER,
    OTHER,
    listed,
    live,
    look,
    query,
    refused,
    row,
    site,
    stored,
)


def test_found() -> None:
    with site(listed(row()), listed()) as (connector, server):
        seen = connector.look_up(LookUpRequest(DRAFT, MARKER, "", 2))
        asked = [query(one.target) for one in server.requests]
    assert (seen.verdict, seen.complete, seen.method) == (Verdict.FOUND, True, "external_ref")
    (found,) = seen.objects
    assert (found.result_id, found.marker, found.status, found.content) == ("doc-a", MARKER, "draft", {})
    assert [one["status"] for one in asked] == ["draft", "published"]
    assert {(one["locale"], one["filters[external_ref][$eq]"]) for one in asked} == {("*", MARKER)}


@pytest.mark.parametrize(
    ("drafts", "public", "status"),
    [
        ([row()], [live()], "published"),
        ([row(updatedAt="2026-11-29T21:00:00.000Z")], [live()], "modified"),
        ([row()], [live(locale="fr")], "draft"),
        ([], [live()], "published"),
        ([row(locale="fr", createdAt="2026-11-30T00:00:00.000Z"), row()], [], "draft"),
    ],
)
def test_one_document_is_one_object(drafts: list[Any], public: list[Any], status: str) -> None:
    """Neither what readers see of it nor an editor's new language is a second draft."""
    seen = look(listed(*drafts), listed(*public))
    assert [(one.result_id, one.status, one.version) for one in seen.objects] == [
        ("doc-a", status, (drafts or public)[-1]["updatedAt"])
    ]


def test_found_twice() -> None:
    seen = look(listed(row(), row(document="doc-b")), listed())
    assert (seen.verdict, [one.result_id for one in seen.objects]) == (
        Verdict.FOUND_MANY,
        ["doc-a", "doc-b"],
    )


def test_absent() -> None:
    seen = look(listed(), listed())
    assert (seen.verdict, seen.complete, seen.candidates) == (Verdict.ABSENT, True, ())


def test_a_document_with_our_title_and_no_marker_is_for_a_person() -> None:
    seen = look(
        listed(), listed(), listed(row(None), row(OTHER, "doc-b"), row("", "doc-c")), listed(), title="Kessel"
    )
    assert (seen.verdict, [one.result_id for one in seen.candidates]) == (Verdict.ABSENT, ["doc-a", "doc-c"])


@pytest.mark.parametrize(
    ("code", "answers"),
    [
        ("unauthorized", [refused(401)]),
        ("forbidden", [listed(), refused(403)]),
        ("not-found", [refused(404)]),
        ("http-500", [refused(500)]),
        ("html", [HTML]),
        ("redirect", [answered("", 302, location="/admin")]),
        ("unreadable-page", [answered({"data": None})]),
        ("unreadable-page", [answered({"data": [], "meta": {}})]),
        ("unreadable-item", [listed(row(documentId=None))]),
        ("strapi-4", [listed({"id": 1, "attributes": {"external_ref": MARKER}})]),
        ("marker-unreadable", [listed({"id": 1, "documentId": "doc-a", "publishedAt": None})]),
        ("filter-ignored", [listed(row(OTHER)), listed()]),
        ("no-drafts", [listed(live())]),
        ("status-ignored", [listed(row()), listed(row())]),
        ("unsorted", [listed(row(document="b"), row(document="a")), listed()]),
        ("page-limit", [listed(row(), row(locale="fr"), total=3, limit=2), listed()]),
        ("changing", [listed(total=1), listed()]),
    ],
)
def test_what_proves_nothing(code: str, answers: list[bytes]) -> None:
    seen = look(*answers)
    assert (seen.verdict, seen.code, seen.complete, seen.objects) == (Verdict.CANNOT_TELL, code, False, ())


def test_a_document_that_stands_across_two_pages_is_read_whole() -> None:
    first = [row(None, "doc-a"), row(None, "doc-b")]
    second = [row(None, "doc-b"), row(MARKER, "doc-b", locale="fr")]
    with site(listed(*first, total=3, limit=2), listed(), listed(*second, total=2, limit=2)) as (
        connector,
        server,
    ):
        found = list(connector.inventory(kind=DRAFT, deadline_s=2))
        asked = [query(one.target).get("filters[documentId][$gt]", "") for one in server.requests]
    assert [(one.result_id, one.marker, one.place) for one in found] == [
        ("doc-a", "", "doc-a"),
        ("doc-b", MARKER, "doc-b"),
    ]
    assert asked == ["", "", "doc-a"]


def test_a_document_with_two_markers_is_two_entries() -> None:
    rows = [row(None), row(document="doc-b"), row(OTHER, "doc-b", locale="fr")]
    with site(listed(*rows), listed()) as (connector, _):
        found = list(connector.inventory(kind=DRAFT, deadline_s=2))
    assert [(one.result_id, one.marker, one.place) for one in found] == [
        ("doc-a", "", "doc-a"),
        ("doc-b", MARKER, "doc-a"),  # behind this one, the other of the same document is still to come
        ("doc-b", OTHER, "doc-b"),
    ]


@pytest.mark.parametrize(
    ("kind", "how", "answers", "code"),
    [
        (DRAFT, {}, [refused(401)], "unauthorized"),
        (FILE, {}, [answered({"data": []})], "unreadable-page"),
        (FILE, {}, [answered([{"id": 0, "hash": "x"}])], "paging-loop"),
        (FILE, {"after": "x"}, [], "bad-place"),
        (Kind.START_JOB, {}, [], "kind-not-declared"),
    ],
)
def test_an_inventory_that_is_cut(kind: Kind, how: Any, answers: list[bytes], code: str) -> None:
    with site(*answers or [HTML]) as (connector, _), pytest.raises(InventoryError) as caught:
        list(connector.inventory(kind=kind, deadline_s=2, **how))
    assert caught.value.code == code


def test_a_file_is_found_by_what_no_editor_can_change() -> None:
    renamed = stored(name="schoen.png")
    seen = look(answered([renamed]), answered([]), kind=FILE)
    assert [(one.result_id, one.marker, one.title) for one in seen.objects] == [("7", MARKER, "schoen.png")]
    assert look(answered([stored(OTHER)]), answered([]), kind=FILE).code == "filter-ignored"
    assert look(answered([]), kind=FILE).verdict == Verdict.ABSENT
    assert look(refused(403), kind=FILE).code == "forbidden"


@pytest.mark.parametrize(
    ("answers", "verdict", "code"),
    [
        ([answered(stored())], Verdict.FOUND, ""),
        ([refused(404), answered([])], Verdict.ABSENT, ""),
        ([refused(404), refused(403)], Verdict.CANNOT_TELL, "forbidden"),
        ([answered("<html>", 404, content_type="text/html")], Verdict.CANNOT_TELL, "html"),
        ([answered(stored(id=8))], Verdict.CANNOT_TELL, "unreadable-item"),
    ],
)
def test_one_file(answers: list[bytes], verdict: Verdict, code: str) -> None:
    with site(*answers) as (connector, _):
        seen = connector.read(kind=FILE, result_id="7", deadline_s=2)
        assert connector.read(kind=FILE, result_id="../7", deadline_s=2).code == "bad-id"
    assert (seen.verdict, seen.code) == (verdict, code)

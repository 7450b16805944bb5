"""Wagtail's answers as they were captured from 8.0.1, and what stands between it and us. The real one: tests/real."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from once_delivery.common.errors import InvalidInputError
from once_delivery.targets.base import (
    Answer,
    Connection,
    EffectRequest,
    InventoryError,
    Kind,
    Look,
    LookUpRequest,
    Outcome,
    Verdict,
)
from once_delivery.targets.wagtail.connector import WagtailConnector, connect
from tests.fakes.scripted_server import ScriptedServer, answered, serving

MARKER = "once-aaaaaaaaaaaaaaaaaaaaaaaaaa"
OTHER = "once-bbbbbbbbbbbbbbbbbbbbbbbbbb"
TOKEN = "wagtail_very-secret-token"
DECLARATION = {"page_type": "catalog.ProductPage", "parent_id": 3}
BY_SLUG = {**DECLARATION, "marker_field": None}
WHO_AM_I = answered({"user": {"username": "delivery"}, "groups": []})
NOT_FOUND = answered({"status": 404, "detail": "Not found"}, 404)
HTML = answered("<!doctype html><title>Server Error (500)</title>", 500, content_type="text/html")


def page(marker: str | None = MARKER, **more: Any) -> dict[str, Any]:
    """A page of its own, as a create and a read answer it."""
    meta = {"type": "catalog.ProductPage", "slug": marker or "by-hand", "first_published_at": None}
    return {"id": 4, "title": "Kessel", "meta": meta, "external_ref": marker, "live": False, **more}


def listed(*items: dict[str, Any], count: int | None = None) -> bytes:
    """A list shows the slug, and no field of the page type."""
    shown = [{name: item[name] for name in ("id", "title", "meta")} for item in items]
    return answered({"items": shown, "count": len(items) if count is None else count})


def refused(*errors: dict[str, Any]) -> bytes:
    return answered({"status": 422, "detail": "Validation failed", "errors": list(errors)}, 422)


@contextlib.contextmanager
def site(*answers: Any, declaration: Any = None) -> Iterator[tuple[WagtailConnector, ScriptedServer]]:
    with serving(*answers) as server:
        connection = Connection(server.url, declaration or DECLARATION, {"token": TOKEN}, allow_inside=True)
        connector = connect(connection)
        try:
            yield connector, server
        finally:
            connector.close()


def perform(answer: bytes, *, declaration: Any = None, **payload: Any) -> tuple[Answer, Any]:
    request = EffectRequest(
        Kind.CREATE_DRAFT, MARKER, "", "", {"title": "Kessel", "body": "<p>x</p>", **payload}, 2
    )
    with site(answer, declaration=declaration) as (connector, server):
        said = connector.perform(request)
        return said, server.requests[0].json if server.requests else None


def look(*answers: bytes, declaration: Any = None, **payload: Any) -> Look:
    with site(*answers, declaration=declaration) as (connector, _):
        return connector.look_up(LookUpRequest(Kind.CREATE_DRAFT, MARKER, "", 2, payload=payload))


def test_what_is_sent_never_publishes() -> None:
    said, body = perform(
        answered(page(), 201), meta={"action": "publish"}, live=True, action="publish", status="published"
    )
    assert (said.outcome, said.result_id) == (Outcome.DONE, "4")
    assert body == {
        "meta": {"type": "catalog.ProductPage", "parent_id": 3},
        "title": "Kessel",
        "body": "<p>x</p>",
        "slug": MARKER,
        "external_ref": MARKER,
    }


@pytest.mark.parametrize(
    ("_case", "answer", "outcome", "code"),
    [
        ("created", answered(page(), 201), Outcome.DONE, "http-201"),
        ("other marker", answered(page(OTHER), 201), Outcome.UNKNOWN, "marker-mismatch"),
        ("no marker", answered(page(None), 201), Outcome.UNKNOWN, "marker-missing"),
        ("no ID", answered(page(id=None), 201), Outcome.UNKNOWN, "no-id"),
        ("no object", answered([], 201), Outcome.UNKNOWN, "no-id"),
        ("200", answered(page()), Outcome.UNKNOWN, "http-200"),
        ("unique", refused({"type": "unique", "loc": ["external_ref"], "msg": "…"}), Outcome.EXISTS, "already-exists"),
        ("slug", refused({"type": "invalid", "loc": ["slug"], "msg": "…"}), Outcome.EXISTS, "already-exists"),
        ("race", refused({"msg": "Product page with this External ref already exists."}), Outcome.EXISTS, "perhaps-exists"),
        ("race", answered({"status": 500, "detail": "duplicate key value …"}, 500), Outcome.EXISTS, "unique-violation"),
        ("race", HTML, Outcome.UNKNOWN, "http-500"),
        ("content", refused({"type": "missing", "loc": ["body", "title"], "msg": "…"}), Outcome.REFUSED, "http-422"),
        ("rights", answered({"detail": "Permission denied"}, 403), Outcome.REFUSED, "http-403"),
        ("token", answered({"detail": "Unauthorized"}, 401), Outcome.REFUSED, "http-401"),
        ("proxy", answered("<html>", 403, content_type="text/html"), Outcome.UNKNOWN, "html"),
        ("busy", answered({}, 503, retry_after="3"), Outcome.UNKNOWN, "http-503"),
        ("too many", answered({}, 429, retry_after="3"), Outcome.NOT_DONE, "http-429"),
        ("log-in", answered("", 302, location="/admin/login/"), Outcome.UNKNOWN, "empty-body"),
    ],
)  # fmt: skip
def test_what_an_answer_proves(_case: str, answer: bytes, outcome: Outcome, code: str) -> None:
    said, _ = perform(answer)
    assert (said.outcome, said.code) == (outcome, code)
    assert TOKEN not in repr(said)


def test_a_slug_of_the_contents_own_that_is_taken_says_nothing_of_ours() -> None:
    said, body = perform(refused({"type": "invalid", "loc": ["slug"], "msg": "…"}), slug="kessel")
    assert (said.outcome, said.code, body["slug"]) == (Outcome.REFUSED, "slug-refused", "kessel")


def test_the_slug_is_the_marker_where_nothing_else_is() -> None:
    _, body = perform(answered(page(), 201), declaration=BY_SLUG, slug="kessel")
    assert (body["slug"], "external_ref" in body) == (MARKER, False)


def test_found() -> None:
    seen = look(listed(page()), answered(page()))
    assert (seen.verdict, seen.complete, seen.method) == (Verdict.FOUND, True, "external_ref")
    assert [(one.result_id, one.marker, one.status) for one in seen.objects] == [("4", MARKER, "draft")]


def test_found_twice() -> None:
    """A unique field that is not unique after all."""
    seen = look(listed(page(), page(id=5)), answered(page()), answered(page(id=5)))
    assert (seen.verdict, len(seen.objects)) == (Verdict.FOUND_MANY, 2)


def test_absent_when_the_account_is_known_and_sees_the_section() -> None:
    seen = look(listed(), WHO_AM_I, answered(page(None, id=3)), WHO_AM_I)
    assert (seen.verdict, seen.complete) == (Verdict.ABSENT, True)


@pytest.mark.parametrize(
    ("code", "answers"),
    [
        ("unauthorized", [listed(), answered({}, 401)]),  # a list answers an unknown token as a visitor's
        ("section-not-visible", [listed(), WHO_AM_I, NOT_FOUND]),
        ("unauthorized", [listed(), WHO_AM_I, answered(page(None, id=3)), answered({}, 401)]),
        ("filter-ignored", [listed(page(OTHER)), answered(page(OTHER))]),
        ("marker-unreadable", [listed(page()), answered({"id": 4, "title": "x", "meta": {}})]),
        ("changing", [listed(page()), NOT_FOUND]),
        ("html", [listed(page()), answered("<html>", 404, content_type="text/html")]),
        ("http-500", [HTML]),
        ("forbidden", [answered({}, 403)]),
        ("redirect", [answered("", 302, location="/login")]),
        ("unreadable-page", [answered({"items": None})]),
        ("unreadable-item", [answered({"items": [{"title": "x"}], "count": 1})]),
        ("total-mismatch", [listed(page(), count=2), answered(page()), listed(count=2)]),
    ],
)
def test_what_proves_nothing(code: str, answers: list[bytes]) -> None:
    seen = look(*answers)
    assert (seen.code, seen.complete) == (code, False)
    assert seen.verdict in {Verdict.CANNOT_TELL, Verdict.FOUND}
    assert (seen.verdict == Verdict.FOUND) == bool(seen.objects)


def test_a_page_with_our_title_and_without_a_marker_is_for_a_person() -> None:
    alike = page("by-hand")
    seen = look(
        listed(),
        listed(alike),
        WHO_AM_I,
        answered(page(None, id=3)),
        WHO_AM_I,
        declaration=BY_SLUG,
        title="Kessel",
    )
    assert [one.result_id for one in seen.candidates] == ["4"]


def test_the_inventory_reads_a_page_only_where_the_slug_does_not_tell() -> None:
    hand = page(OTHER, id=5)
    hand["meta"] = {**hand["meta"], "slug": "renamed"}
    answers = (listed(page(), hand), answered(hand), WHO_AM_I, answered(page(None, id=3)), WHO_AM_I)
    with site(*answers) as (connector, server):
        found = list(connector.inventory(kind=Kind.CREATE_DRAFT, deadline_s=2))
        asked = [one.path for one in server.requests]
    assert [(one.result_id, one.marker) for one in found] == [("4", MARKER), ("5", OTHER)]
    assert asked.count("/api/v3/pages/5/") == 1
    assert "/api/v3/pages/4/" not in asked


def test_an_inventory_for_a_visitor_is_cut() -> None:
    with site(listed(), answered({}, 401)) as (connector, _), pytest.raises(InventoryError) as caught:
        list(connector.inventory(kind=Kind.CREATE_DRAFT, deadline_s=2))
    assert caught.value.code == "unauthorized"


@pytest.mark.parametrize("kind", [Kind.START_JOB, Kind.UPDATE_DRAFT])
def test_kinds_that_are_not_there(kind: Kind) -> None:
    with site(WHO_AM_I) as (connector, server):
        said = connector.perform(EffectRequest(kind, MARKER, "", "", {"title": "x"}, 2))
        seen = connector.look_up(LookUpRequest(kind, MARKER, "", 2))
    assert (said.outcome, seen.verdict, server.requests) == (Outcome.REFUSED, Verdict.CANNOT_TELL, [])


@pytest.mark.parametrize(
    ("declaration", "pointer"),
    [
        ({}, "/"),
        ({**DECLARATION, "page_type": "ProductPage"}, "/page_type"),
        ({**DECLARATION, "parent_id": 0}, "/parent_id"),
        ({**DECLARATION, "fields": {"status": "meta"}}, "/fields/status"),
        ({**DECLARATION, "api_path": "/api/../x?y"}, "/api_path"),
    ],
)
def test_a_declaration_that_does_not_fit(declaration: dict[str, Any], pointer: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        connect(Connection("http://cms.example", declaration, {"token": TOKEN}))
    assert pointer in [problem.pointer for problem in caught.value.problems]


def test_a_token_is_needed() -> None:
    with pytest.raises(InvalidInputError) as caught:
        connect(Connection("http://cms.example", DECLARATION))
    assert caught.value.problems[0].pointer == "/credentials/token"

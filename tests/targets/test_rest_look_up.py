from __future__ import annotations

from datetime import UTC, datetime

import pytest

from once_delivery.targets.base import Kind, Verdict
from tests.fakes.scripted_server import Answer, answered, hangs_up, resets, silent
from tests.targets.rest_api import CLIENT_ID, MARKER, api, declared, listed, thing, wanted


def test_found_by_marker() -> None:
    item = thing(title="T", status="trash", created_at="2026-11-29T10:00:00Z", hash="abc")
    with api(listed(item)) as (connector, server):
        look = connector.look_up(wanted())
    assert (look.verdict, look.method, look.complete, look.code) == (Verdict.FOUND, "marker", True, "")
    (found,) = look.objects
    assert (found.result_id, found.marker, found.url, found.title) == (
        "d1",
        MARKER,
        f"{server.url}/view/d1",
        "T",
    )
    assert (found.status, found.trashed, found.content_hash) == ("trash", True, "abc")
    assert found.created_at == datetime(2026, 11, 29, 10, tzinfo=UTC)
    assert server.requests[0].target == f"/api/drafts?marker={MARKER}&status=any"
    assert server.requests[0].method == "GET"
    assert "idempotency-key" not in server.requests[0].headers


def test_absent() -> None:
    with api(listed()) as (connector, _):
        look = connector.look_up(wanted())
    assert (look.verdict, look.complete, look.objects) == (Verdict.ABSENT, True, ())


def test_found_many() -> None:
    with api(listed(thing(), thing(id="d2"), thing())) as (connector, _):
        look = connector.look_up(wanted())
    assert look.verdict == Verdict.FOUND_MANY
    assert [found.result_id for found in look.objects] == ["d1", "d2"]


def test_what_carries_another_marker_is_not_ours() -> None:
    others = [thing(marker=MARKER.upper()), thing(id="d2", marker=f"{MARKER}-2"), thing(id="d3", marker="")]
    with api(listed(*others)) as (connector, _):
        look = connector.look_up(wanted())
    assert (look.verdict, look.objects, look.candidates) == (Verdict.ABSENT, (), ())


def test_an_object_that_does_not_show_whose_it_is_leaves_it_open() -> None:
    with api(listed(thing(marker=None))) as (connector, _):
        look = connector.look_up(wanted())
    assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "marker-unreadable")
    assert [found.result_id for found in look.candidates] == ["d1"]


@pytest.mark.parametrize(
    ("_case", "answer", "code"),
    [
        ("401", answered({}, 401), "unauthorized"),
        ("403", answered({}, 403), "forbidden"),
        ("404 of the endpoint", answered({}, 404), "not-found"),
        ("429", answered({}, 429, retry_after="9"), "rate-limited"),
        ("500", answered({}, 500), "http-500"),
        ("503", answered({}, 503), "http-503"),
        ("302", answered("", 302, location="/login"), "redirect"),
        ("page", answered("<html>", content_type="text/html"), "html"),
        ("empty", answered(""), "empty-body"),
        ("cut JSON", answered('{"items": ['), "unreadable-json"),
        ("cut", hangs_up(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{}"), "truncated"),
        ("no items", answered({"data": []}), "unreadable-page"),
        ("items null", answered({"items": None}), "unreadable-page"),
        ("item without ID", answered({"items": [{"marker": MARKER}]}), "unreadable-item"),
        ("item is a text", answered({"items": ["d1"]}), "unreadable-item"),
        ("reset", resets(), "reset"),
        ("nothing", hangs_up(), "closed"),
        ("silence", silent(), "deadline"),
    ],
)
def test_what_proves_nothing(_case: str, answer: Answer | bytes, code: str) -> None:
    with api(answer) as (connector, _):
        look = connector.look_up(wanted(deadline_s=0.3))
    assert (look.verdict, look.code, look.complete) == (Verdict.CANNOT_TELL, code, False)
    if code == "rate-limited":
        assert (look.http_status, look.retry_after_s) == (429, 9.0)


def test_a_target_that_is_gone() -> None:
    with api(listed()) as (connector, server):
        server.close()
        look = connector.look_up(wanted())
    assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "connect-refused")


def test_without_a_word_about_statuses_absence_is_not_claimed() -> None:
    with api(listed(), declaration=declared(look_up={"every_status": False})) as (connector, _):
        look = connector.look_up(wanted())
    assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "statuses-not-covered")


STATUSES = {
    "query": {"m": "{{marker}}", "s": "{{status}}"},
    "statuses": ["draft", "trash"],
    "every_status": False,
}


def test_each_status_is_asked_for() -> None:
    with api(listed(thing()), listed(thing(), thing(id="d2")), declaration=declared(look_up=STATUSES)) as (
        connector,
        server,
    ):
        look = connector.look_up(wanted())
    assert (look.verdict, look.complete) == (Verdict.FOUND_MANY, True)
    assert [received.target.partition("s=")[2] for received in server.requests] == ["draft", "trash"]


def test_one_status_that_fails_leaves_absence_open_and_keeps_what_was_found() -> None:
    with api(listed(), answered({}, 403), declaration=declared(look_up=STATUSES)) as (connector, _):
        assert connector.look_up(wanted()).verdict == Verdict.CANNOT_TELL
    with api(listed(thing()), answered({}, 403), declaration=declared(look_up=STATUSES)) as (connector, _):
        look = connector.look_up(wanted())
    assert (look.verdict, look.complete, look.code) == (Verdict.FOUND, False, "forbidden")


def test_nothing_to_look_with() -> None:
    with api(listed(), declaration=declared(look_up=None, read=None)) as (connector, server):
        look = connector.look_up(wanted())
        assert (look.verdict, look.code, server.connections) == (Verdict.CANNOT_TELL, "no-look-up", 0)
        unknown = connector.look_up(wanted().__class__(Kind.START_JOB, MARKER, CLIENT_ID, 1))
        assert (unknown.verdict, unknown.code) == (Verdict.CANNOT_TELL, "kind-not-declared")


ALIKE = {
    "path": "/drafts",
    "query": {"search": "{{payload.title}}"},
    "items": "/items",
    "every_status": True,
    "match": {"/title": "{{payload.title}}", "/locale": "{{payload.locale}}"},
}


class TestCandidates:
    payload = {"title": "Neue Tasche", "locale": "de-DE"}

    def test_what_looks_alike_and_belongs_to_nobody(self) -> None:
        by_hand = {"id": "h1", "marker": None, "title": " neue TASCHE", "locale": "de-DE"}
        items = [
            by_hand,
            {**by_hand, "id": "h2", "locale": "ja-JP"},
            {**by_hand, "id": "h3", "title": "Neue Taschen"},
            {**by_hand, "id": "h4", "marker": "once-other"},
        ]
        with api(listed(), listed(*items), declaration=declared(candidates=ALIKE)) as (connector, server):
            look = connector.look_up(wanted(payload=self.payload))
        assert (look.verdict, look.objects) == (Verdict.ABSENT, ())
        assert [found.result_id for found in look.candidates] == ["h1"]
        assert server.requests[1].target == "/api/drafts?search=Neue%20Tasche"

    def test_not_asked_for_when_ours_is_found_or_nothing_is_known(self) -> None:
        with api(listed(thing()), declaration=declared(candidates=ALIKE)) as (connector, server):
            connector.look_up(wanted(payload=self.payload))
        assert len(server.requests) == 1
        with api(listed(), declaration=declared(candidates=ALIKE)) as (connector, server):
            assert connector.look_up(wanted()).verdict == Verdict.ABSENT
        assert len(server.requests) == 1

    def test_a_query_that_fails_leaves_it_open(self) -> None:
        with api(listed(), answered({}, 500), declaration=declared(candidates=ALIKE)) as (connector, _):
            look = connector.look_up(wanted(payload=self.payload))
        assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "http-500")

    def test_a_payload_without_these_fields_looks_like_nothing(self) -> None:
        with api(listed(), listed(), declaration=declared(candidates=ALIKE)) as (connector, _):
            assert connector.look_up(wanted(payload={"x": 1})).verdict == Verdict.ABSENT

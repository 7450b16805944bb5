from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from once_delivery.targets.base import Connection, Kind, Outcome
from once_delivery.targets.rest.connector import connect
from tests.fakes.scripted_server import Answer, answered, hangs_up, resets, silent, trickles
from tests.targets.rest_api import MARKER, TOKEN, api, declared, request, thing


def test_done_with_everything_that_the_target_told() -> None:
    with api(answered(thing(), 201)) as (connector, server):
        answer = connector.perform(request({"title": "Titel 😀", "image": 5}))
    assert (answer.outcome, answer.code, answer.result_id) == (Outcome.DONE, "http-201", "d1")
    assert (answer.marker, answer.url, answer.http_status) == (MARKER, f"{server.url}/view/d1", 201)
    (sent,) = server.requests
    assert (sent.method, sent.target) == ("POST", "/api/drafts")
    assert sent.json == {"title": "Titel 😀", "image": 5, "marker": MARKER}
    assert sent.headers["authorization"] == f"Bearer {TOKEN}"
    assert sent.headers["idempotency-key"] == f"{MARKER}-2"
    assert sent.headers["content-type"] == "application/json"


CUT = b'HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"id": "d1", "marker": "'


@pytest.mark.parametrize(
    ("_case", "answer", "outcome", "code"),
    [
        ("number as ID", answered(thing(id=17), 201), Outcome.DONE, "http-201"),
        ("error null beside it", answered({"error": None, **thing()}), Outcome.DONE, "http-200"),
        (
            "BOM",
            answered(b"\xef\xbb\xbf" + answered(thing()).partition(b"\r\n\r\n")[2]),
            Outcome.DONE,
            "http-200",
        ),
        (
            "UTF-16",
            answered(answered(thing()).partition(b"\r\n\r\n")[2].decode().encode("utf-16")),
            Outcome.DONE,
            "http-200",
        ),
        ("202 undeclared", answered(thing(), 202), Outcome.UNKNOWN, "http-202"),
        ("202 empty", answered("", 202), Outcome.UNKNOWN, "empty-body"),
        ("204", b"HTTP/1.1 204 No Content\r\n\r\n", Outcome.UNKNOWN, "empty-body"),
        ("no ID", answered({"marker": MARKER}, 201), Outcome.UNKNOWN, "no-id"),
        ("ID null", answered(thing(id=None), 201), Outcome.UNKNOWN, "no-id"),
        ("ID empty", answered(thing(id=""), 201), Outcome.UNKNOWN, "no-id"),
        ("ID true", answered(thing(id=True), 201), Outcome.UNKNOWN, "no-id"),
        ("ID object", answered(thing(id={"a": 1}), 201), Outcome.UNKNOWN, "no-id"),
        ("ID endless", answered(thing(id="x" * 301), 201), Outcome.UNKNOWN, "no-id"),
        ("ID with NUL", answered(thing(id="a\0b"), 201), Outcome.UNKNOWN, "no-id"),
        ("error body with 200", answered({"error": {"code": "x"}}), Outcome.UNKNOWN, "no-id"),
        ("a list", answered([thing()], 201), Outcome.UNKNOWN, "no-id"),
        ("a text", answered('"d1"', 201), Outcome.UNKNOWN, "no-id"),
        ("another's", answered(thing(marker="once-other"), 201), Outcome.UNKNOWN, "marker-mismatch"),
        (
            "marker in capitals",
            answered(thing(marker=MARKER.upper()), 201),
            Outcome.UNKNOWN,
            "marker-mismatch",
        ),
        ("no marker", answered({"id": "d1"}, 201), Outcome.UNKNOWN, "marker-missing"),
        ("cut JSON", answered('{"id": "d1", "mark', 201), Outcome.UNKNOWN, "unreadable-json"),
        ("cut body", hangs_up(CUT), Outcome.UNKNOWN, "truncated"),
        ("reset body", resets(CUT), Outcome.UNKNOWN, "truncated"),
        ("NaN", answered('{"id": NaN}', 201), Outcome.UNKNOWN, "unreadable-json"),
        ("too deep", answered("[" * 100_000, 201), Outcome.UNKNOWN, "unreadable-json"),
        (
            "wrong encoding",
            answered('{"id": "ä"}'.encode("latin-1"), 201),
            Outcome.UNKNOWN,
            "unreadable-json",
        ),
        ("broken gzip", answered("not gzip", 201, content_encoding="gzip"), Outcome.UNKNOWN, "bad-encoding"),
        ("page", answered("<html>Please wait</html>", content_type="text/html"), Outcome.UNKNOWN, "html"),
        ("page in disguise", answered(" <!doctype html>"), Outcome.UNKNOWN, "html"),
        ("303", answered("", 303, location="/drafts/d1"), Outcome.UNKNOWN, "http-303"),
        ("500", answered({"error": "x"}, 500), Outcome.UNKNOWN, "http-500"),
        ("502 page", answered("<h1>Bad gateway", 502, content_type="text/html"), Outcome.UNKNOWN, "http-502"),
        ("503", answered("", 503, retry_after="3"), Outcome.UNKNOWN, "http-503"),
        ("408", answered("", 408), Outcome.UNKNOWN, "http-408"),
        ("400", answered({"error": "title"}, 400), Outcome.REFUSED, "http-400"),
        ("401", answered("", 401), Outcome.REFUSED, "http-401"),
        ("404", answered({}, 404), Outcome.REFUSED, "http-404"),
        ("422", answered({"error": {"code": "bad_field"}}, 422), Outcome.REFUSED, "http-422"),
        ("403 page", answered("<h1>Blocked", 403, content_type="text/html"), Outcome.UNKNOWN, "html"),
        ("403 cut", hangs_up(b"HTTP/1.1 403 No\r\nContent-Length: 9\r\n\r\n{"), Outcome.UNKNOWN, "truncated"),
        ("409", answered({"error": {"code": "busy"}}, 409), Outcome.EXISTS, "http-409"),
        ("no answer", hangs_up(), Outcome.UNKNOWN, "closed"),
        ("reset", resets(), Outcome.UNKNOWN, "reset"),
    ],
)
def test_what_an_answer_proves(_case: str, answer: Answer | bytes, outcome: Outcome, code: str) -> None:
    with api(answer) as (connector, server):
        got = connector.perform(request())
    assert (got.outcome, got.code) == (outcome, code)
    assert (got.result_id != "") == (outcome == Outcome.DONE)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [silent(), trickles(b"HTTP/1.1 201 Created\r\nContent-Length: 999\r\n\r\n", b" ")],
    ids=["silent", "slow"],
)
def test_the_deadline_makes_it_unknown(answer: Answer) -> None:
    with api(answer) as (connector, server):
        got = connector.perform(request(deadline_s=0.3))
    assert (got.outcome, got.code) == (Outcome.UNKNOWN, "deadline")
    assert len(server.requests) == 1


def test_what_exists_is_named() -> None:
    with api(answered({"error": {"code": "already_exists", "id": 9}}, 409)) as (connector, _):
        got = connector.perform(request())
    assert (got.outcome, got.code, got.result_id) == (Outcome.EXISTS, "already-exists", "9")


@pytest.mark.parametrize(
    ("_case", "rule", "answer", "outcome"),
    [
        ("unique violation behind a 500", {"status": 500, "contains": "unique"}, answered("not unique", 500), Outcome.EXISTS),
        ("another 500", {"status": 500, "contains": "unique"}, answered("oops", 500), Outcome.UNKNOWN),
        ("pointer contains", {"status": 400, "pointer": "/m", "contains": "taken"}, answered({"m": "is taken"}, 400), Outcome.EXISTS),
        ("elsewhere", {"status": 400, "pointer": "/m", "contains": "taken"}, answered({"n": "is taken"}, 400), Outcome.REFUSED),
        ("equals", {"status": 400, "pointer": "/c", "equals": 11}, answered({"c": 11}, 400), Outcome.EXISTS),
        ("equals, other type", {"status": 400, "pointer": "/c", "equals": 1}, answered({"c": True}, 400), Outcome.REFUSED),
    ],
)  # fmt: skip
def test_what_exists_looks_like_is_declared(
    _case: str, rule: dict[str, Any], answer: bytes, outcome: Outcome
) -> None:
    with api(answer, declaration=declared({"exists": [rule]})) as (connector, _):
        assert connector.perform(request()).outcome == outcome


@pytest.mark.parametrize(
    ("status", "headers", "wait"),
    [
        (429, {"retry_after": "7"}, 7.0),
        (429, {}, None),
        (429, {"retry_after": "-5"}, 0.0),
        (429, {"retry_after": "1e9"}, 86_400.0),
        (429, {"retry_after": "nan"}, None),
        (429, {"retry_after": "soon"}, None),
        (429, {"retry_after": "Sat, 01 Jan 2000 00:00:00 GMT"}, 0.0),
        (503, {"retry_after": "2"}, 2.0),
    ],
)
def test_not_done_says_how_long_to_wait(status: int, headers: dict[str, str], wait: float | None) -> None:
    with api(
        answered("", status, headers=headers), declaration=declared({"outcomes": {"503": "not_done"}})
    ) as (
        connector,
        _,
    ):
        got = connector.perform(request())
    assert (got.outcome, got.retry_after_s) == (Outcome.NOT_DONE, wait)


def test_overrides_of_the_kind_win() -> None:
    declaration = declared(
        {"outcomes": {"400": "unknown", "422": "unknown"}}, create={"outcomes": {"400": "exists"}}
    )
    with api(answered({}, 400), answered({}, 422), declaration=declaration) as (connector, _):
        assert connector.perform(request()).outcome == Outcome.EXISTS
        assert connector.perform(request()).outcome == Outcome.UNKNOWN


def test_an_api_whose_own_errors_are_pages() -> None:
    page = answered("<h1>Forbidden", 403, content_type="text/html")
    with api(page, declaration=declared({"html_errors": True})) as (connector, _):
        assert connector.perform(request()).outcome == Outcome.REFUSED


def test_not_sent() -> None:
    with api(answered({})) as (connector, server):
        server.close()
        got = connector.perform(request())
    assert (got.outcome, got.code) == (Outcome.NOT_SENT, "connect-refused")


def test_inside_addresses_are_refused_before_a_connection() -> None:
    with api(answered({})) as (_, server):
        connector = connect(Connection(server.url, declared(), {"token": TOKEN}))
        got = connector.perform(request())
        assert (got.outcome, got.code) == (Outcome.NOT_SENT, "address-refused")
        assert server.connections == 0


def test_a_kind_that_is_not_declared() -> None:
    with api(answered({})) as (connector, server):
        got = connector.perform(replace(request(), kind=Kind.START_JOB))
        assert (got.outcome, got.code) == (Outcome.REFUSED, "kind-not-declared")
        assert server.connections == 0


def test_secrets_are_in_nothing_that_is_stored() -> None:
    with api(answered({"error": f"bad header Authorization: Bearer {TOKEN}", "echo": TOKEN}, 400)) as (
        connector,
        _,
    ):
        got = connector.perform(request())
    assert TOKEN not in repr(got)
    assert "bad header" in got.excerpt


def test_the_excerpt_is_short_and_can_be_stored() -> None:
    with api(answered(b"a\0" * 5000, 500)) as (connector, _):
        got = connector.perform(request())
    assert len(got.excerpt) <= 2000
    assert "\0" not in got.excerpt


STATE = {"pointer": "/state", "succeeded": ["succeeded"], "failed": ["failed"]}


@pytest.mark.parametrize(
    ("status", "more", "outcome"),
    [
        (202, {"state": "queued"}, Outcome.ACCEPTED),
        (202, {}, Outcome.ACCEPTED),
        (201, {"state": "running"}, Outcome.ACCEPTED),
        (201, {"state": "succeeded"}, Outcome.DONE),
        (202, {"state": "failed"}, Outcome.ACCEPTED),
    ],
)
def test_asynchronous_work(status: int, more: dict[str, str], outcome: Outcome) -> None:
    declaration = declared(object={"state": STATE, "usage": "/usage"})
    answer = answered(thing(usage={"units": 2, "api_token": "x"}, **more), status)
    with api(answer, declaration=declaration) as (connector, _):
        got = connector.perform(request())
    assert (got.outcome, got.result_id) == (outcome, "d1")
    assert got.usage == {"units": 2, "api_token": "***"}

"""Reading and updating in place by a declaration, against a server that says exactly what a test wants."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.targets import updating
from once_delivery.targets.base import (
    Answer,
    EffectRequest,
    Kind,
    Look,
    LookUpRequest,
    Original,
    Outcome,
    Verdict,
)
from once_delivery.targets.rest.connector import RestConnector
from tests.fakes.scripted_server import Received, answered, hangs_up
from tests.targets.rest_api import MARKER, api, declared, thing

ORIGINAL = Original("d1", MARKER, '"v7"')
OBJECT = {
    "id": "/id", "marker": "/marker", "status": "/status", "version": {"header": "ETag"},
    "content": {"title": "/title", "body": "/text/plain"},
}  # fmt: skip
BY_HEADER: dict[str, Any] = {
    "method": "PATCH",
    "path": "/drafts/{{result_id}}",
    "headers": {"If-Match": "{{version}}"},
    "body": {"title": "{{payload.title}}", "marker": "{{marker}}"},
}


def with_update(update: dict[str, Any] | None = None, **of_kind: Any) -> dict[str, Any]:
    return declared(update=update or BY_HEADER, object=of_kind.pop("object", OBJECT), **of_kind)


def update(connector: RestConnector, original: Original | None = ORIGINAL, **payload: Any) -> Answer:
    return connector.perform(
        EffectRequest(Kind.UPDATE_DRAFT, "once-u", "", "k", {"title": "New", **payload}, 2, original=original)
    )


def asked(connector: RestConnector, original: Original | None = ORIGINAL) -> Look:
    return connector.look_up(
        LookUpRequest(Kind.UPDATE_DRAFT, "once-u", "", 2, payload={"title": "New"}, original=original)
    )


def sent(declaration: dict[str, Any], original: Original = ORIGINAL) -> Received:
    with api(answered(thing(title="New")), declaration=declaration) as (connector, server):
        update(connector, original)
    (received,) = server.requests
    return received


class TestGuards:
    def test_a_header(self) -> None:
        received = sent(with_update())
        assert (received.method, received.target) == ("PATCH", "/api/drafts/d1")
        assert received.headers["if-match"] == '"v7"'
        assert received.json == {"title": "New", "marker": MARKER}

    def test_a_field_of_the_body(self) -> None:
        body = {"title": "{{payload.title}}", "revision": "{{version_number}}", "of": "{{version}}"}
        received = sent(with_update({**BY_HEADER, "headers": {}, "body": body}), Original("d1", MARKER, "7"))
        assert received.json == {"title": "New", "revision": 7, "of": "7"}

    def test_a_parameter(self) -> None:
        received = sent(with_update({**BY_HEADER, "headers": {}, "query": {"version": "{{version}}"}}))
        assert received.target == "/api/drafts/d1?version=%22v7%22"

    def test_a_version_that_is_no_number_is_not_sent_as_one(self) -> None:
        body = {"revision": "{{version_number}}"}
        with api(answered({}), declaration=with_update({**BY_HEADER, "body": body})) as (connector, server):
            answer = update(connector)
        assert (answer.outcome, answer.code) == (Outcome.REFUSED, "template-missing")
        assert server.requests == []

    def test_the_key_of_the_action_goes_with_creates_alone(self) -> None:
        assert "idempotency-key" not in sent(with_update()).headers


@pytest.mark.parametrize(
    ("reply", "outcome", "code"),
    [
        (answered(thing(title="New"), headers={"ETag": '"v8"'}), Outcome.DONE, "http-200"),
        (answered({}, 409), Outcome.EXISTS, "http-409"),
        (answered({}, 412), Outcome.EXISTS, "http-412"),
        (answered({}, 404), Outcome.REFUSED, "http-404"),
        (answered({}, 403), Outcome.REFUSED, "http-403"),
        (answered({}, 428), Outcome.UNKNOWN, "http-428"),
        (answered({}, 500), Outcome.UNKNOWN, "http-500"),
        (answered({}, 429), Outcome.NOT_DONE, "http-429"),
        (answered(b"", 204), Outcome.UNKNOWN, "empty-body"),
        (answered(thing(id="d2")), Outcome.UNKNOWN, "id-mismatch"),
        (answered(thing(marker="other")), Outcome.UNKNOWN, "marker-mismatch"),
        (answered(b"<p>", 403, content_type="text/html"), Outcome.UNKNOWN, "html"),
        (hangs_up(), Outcome.UNKNOWN, "closed"),
    ],
)
def test_what_an_answer_to_an_update_proves(reply: Any, outcome: Outcome, code: str) -> None:
    with api(reply, declaration=with_update()) as (connector, server):
        answer = update(connector)
    assert (answer.outcome, answer.code) == (outcome, code)
    assert len(server.requests) == 1
    assert answer.version == ('"v8"' if outcome == Outcome.DONE else "")


@pytest.mark.parametrize("original", [None, Original("d1", MARKER, "")])
def test_without_a_version_nothing_is_sent(original: Original | None) -> None:
    with api(answered({}), declaration=with_update()) as (connector, server):
        assert update(connector, original).code == "version-unknown"
    assert server.requests == []


def test_an_api_without_updates() -> None:
    with api(answered({}), declaration=declared()) as (connector, server):
        answer = update(connector)
    assert (answer.outcome, answer.code, answer.detail) == (
        Outcome.REFUSED,
        "kind-not-declared",
        "update_draft",
    )
    assert server.requests == []


def held(etag: str, **more: Any) -> bytes:
    return answered(thing(**more), headers={"ETag": etag})


@pytest.mark.parametrize(
    ("reply", "verdict", "code"),
    [
        (held('"v8"', title="New"), Verdict.FOUND, ""),
        (held('"v7"', title="Old"), Verdict.ABSENT, ""),
        (held('"v8"', title="A person's"), Verdict.CANNOT_TELL, updating.CHANGED),
        (held('"v7"', title="Old", status="live"), Verdict.CANNOT_TELL, updating.PUBLISHED),
        (held('"v7"', title="Old", marker="other"), Verdict.CANNOT_TELL, updating.FOREIGN),
        (answered({}, 404), Verdict.CANNOT_TELL, updating.GONE),
        (answered({}, 403), Verdict.CANNOT_TELL, "forbidden"),
        (held('"v8"', id="d2", title="New"), Verdict.CANNOT_TELL, "id-mismatch"),
    ],
)
def test_has_the_update_been_done(reply: bytes, verdict: Verdict, code: str) -> None:
    declaration = with_update(object={**OBJECT, "public": ["live"]})
    with api(reply, declaration=declaration) as (connector, server):
        look = asked(connector)
    assert (look.verdict, look.code) == (verdict, code)
    assert [received.path for received in server.requests] == ["/api/drafts/d1"]


def test_an_update_of_nothing_cannot_be_looked_for() -> None:
    with api(answered({}), declaration=with_update()) as (connector, server):
        assert asked(connector, None).code == "original-unknown"
    assert server.requests == []


class TestReading:
    def test_content_and_version(self) -> None:
        with api(held('W/"v7"', title="T", text={"plain": "B"}), declaration=with_update()) as (connector, _):
            look = connector.read(kind=Kind.CREATE_DRAFT, result_id="d1", deadline_s=2)
        (found,) = look.objects
        assert (found.version, found.content) == ('W/"v7"', {"title": "T", "body": "B"})
        assert (look.verdict, look.complete, look.method) == (Verdict.FOUND, True, "id")

    def test_what_is_no_text_is_left_out(self) -> None:
        with api(held('"v"', title=None, text={"plain": ["B"]}), declaration=with_update()) as (connector, _):
            (found,) = connector.read(kind=Kind.CREATE_DRAFT, result_id="d1", deadline_s=2).objects
        assert found.content == {}

    @pytest.mark.parametrize(
        ("reply", "verdict", "code"),
        [
            (answered({}, 404), Verdict.ABSENT, ""),
            (answered(b"<p>no</p>", 404, content_type="text/html"), Verdict.CANNOT_TELL, "html"),
            (answered({}, 500), Verdict.CANNOT_TELL, "http-500"),
            (answered({"status": "draft"}), Verdict.CANNOT_TELL, "no-id"),
        ],
    )
    def test_what_is_not_there_and_what_cannot_be_told(
        self, reply: bytes, verdict: Verdict, code: str
    ) -> None:
        with api(reply, declaration=declared()) as (connector, _):
            look = connector.read(kind=Kind.CREATE_DRAFT, result_id="d1", deadline_s=2)
        assert (look.verdict, look.code, look.complete) == (verdict, code, verdict == Verdict.ABSENT)

    def test_where_it_is_not_declared(self) -> None:
        with api(answered({}), declaration=declared(read=None)) as (connector, server):
            assert connector.read(kind=Kind.CREATE_DRAFT, result_id="d1", deadline_s=2).code == "cannot-read"
            assert (
                connector.read(kind=Kind.START_JOB, result_id="d1", deadline_s=2).code == "kind-not-declared"
            )
        assert server.requests == []

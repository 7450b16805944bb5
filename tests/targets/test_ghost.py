"""A draft at Ghost, by captured answers. The real one: tests/real."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

import pytest

from once_delivery.common.errors import InvalidInputError
from once_delivery.targets.base import (
    Connection,
    EffectRequest,
    InventoryError,
    Kind,
    LookUpRequest,
    Outcome,
    Verdict,
)
from once_delivery.targets.ghost.connector import connect
from once_delivery.targets.ghost.token import AdminKey
from tests.fakes.scripted_server import answered
from tests.targets.ghost_answers import (
    HTML,
    ID,
    KEY_ID,
    MARKER,
    ME,
    NO_USER,
    OTHER,
    SECRET,
    SITE,
    STATE,
    SUSPENDED,
    UNKNOWN_KEY,
    error,
    listed,
    perform,
    post,
    site,
)


def test_a_token_is_signed_and_lives_five_minutes() -> None:
    key = AdminKey.read({"admin_api_key": f"{KEY_ID}:{SECRET}"})
    scheme, token = key.headers(now=1_795_000_000.9)["Authorization"].split(" ")
    head, claims, seal = token.split(".")
    decoded = [json.loads(base64.urlsafe_b64decode(part + "==")) for part in (head, claims)]
    assert scheme == "Ghost"
    assert decoded[0] == {"alg": "HS256", "kid": KEY_ID, "typ": "JWT"}
    assert decoded[1] == {"aud": "/admin/", "iat": 1_795_000_000, "exp": 1_795_000_300}
    mark = hmac.new(bytes.fromhex(SECRET), f"{head}.{claims}".encode(), hashlib.sha256).digest()
    assert base64.urlsafe_b64decode(seal + "==") == mark
    assert SECRET not in repr(key)


@pytest.mark.parametrize("given", ["", "abc", f"{KEY_ID}:xyz", SECRET, f"{KEY_ID}:{SECRET}\nx"])
def test_what_is_no_key(given: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        connect(Connection("http://shop.example", {}, {"admin_api_key": given}))
    assert caught.value.problems[0].pointer == "/credentials/admin_api_key"
    assert not given or given not in str(caught.value.problems)


def test_what_is_sent_never_publishes() -> None:
    said, (asked, sent) = perform(
        ME, answered({"posts": [post()]}, 201), status="published", slug="x", published_at="2020", tags=["a"]
    )
    assert (said.outcome, said.result_id, said.marker) == (Outcome.DONE, ID, MARKER)
    assert said.version.startswith(f"{STATE}/")
    assert (asked.method, asked.path) == ("GET", "/ghost/api/admin/users/me/")
    assert sent.target == "/ghost/api/admin/posts/?source=html&formats=html,lexical"
    assert sent.json == {
        "posts": [
            {
                "title": "Kessel",
                "html": "<p>x</p>",
                "slug": MARKER,
                "status": "draft",
                "canonical_url": f"{SITE}/{MARKER}/",
                "authors": [{"id": "6b0c8d1f2251370ad152d109"}],
            }
        ]
    }


def test_whose_key_it_is_is_asked_once() -> None:
    made = answered({"posts": [post()]}, 201)
    with site(ME, made) as (connector, server):
        for _ in range(3):
            connector.perform(EffectRequest(Kind.CREATE_DRAFT, MARKER, "", "", {"title": "x"}, 2))
        assert [one.method for one in server.requests] == ["GET", "POST", "POST", "POST"]


def test_an_integration_is_nobody() -> None:
    said, requests = perform(NO_USER, listed(), answered({"posts": [post()]}, 201))
    assert said.outcome == Outcome.DONE
    assert "authors" not in requests[-1].json["posts"][0]


@pytest.mark.parametrize(
    ("outcome", "code", "answers"),
    [
        (Outcome.REFUSED, "unauthorized", [UNKNOWN_KEY]),
        (Outcome.REFUSED, "not-found", [SUSPENDED]),
        (Outcome.REFUSED, "not-found", [NO_USER, SUSPENDED]),
        (Outcome.REFUSED, "redirect", [answered("", 301, location="https://shop.example/ghost/")]),
        (Outcome.NOT_SENT, "http-502", [HTML]),
        (Outcome.NOT_DONE, "rate-limited", [answered({}, 429, retry_after="3")]),
    ],
)
def test_a_key_that_is_not_heard_makes_nothing(outcome: Outcome, code: str, answers: list[bytes]) -> None:
    said, requests = perform(*answers)
    assert (said.outcome, said.code) == (outcome, code)
    assert {one.method for one in requests} == {"GET"}


@pytest.mark.parametrize(
    ("answer", "outcome", "code"),
    [
        (answered({"posts": [post(OTHER)]}, 201), Outcome.UNKNOWN, "marker-mismatch"),
        (answered({"posts": [post(None)]}, 201), Outcome.UNKNOWN, "marker-missing"),
        (answered({"posts": [post(slug=f"{MARKER}-2")]}, 201), Outcome.UNKNOWN, "slug-suffixed"),
        (answered({"posts": [post(id=None)]}, 201), Outcome.UNKNOWN, "no-id"),
        (answered({"posts": []}, 201), Outcome.UNKNOWN, "no-id"),
        (answered({"posts": [post()]}, 200), Outcome.UNKNOWN, "no-id"),
        (error(500, "Internal server error, cannot save post.", "UNEXPECTED_ERROR"), Outcome.UNKNOWN, "http-500"),
        (error(422, "Validation error, cannot save post."), Outcome.REFUSED, "http-422"),
        (error(403, "Permission error, cannot save post."), Outcome.REFUSED, "http-403"),
        (error(401, "Invalid token: jwt expired", "INVALID_JWT"), Outcome.REFUSED, "http-401"),
        (answered({"detail": "a proxy's"}, 403), Outcome.UNKNOWN, "http-403"),
        (answered("<html>", 403, content_type="text/html"), Outcome.UNKNOWN, "html"),
        (answered("", 301, location="https://shop.example"), Outcome.UNKNOWN, "http-301"),
        (answered({}, 429, retry_after="3"), Outcome.NOT_DONE, "http-429"),
        (answered({}, 503, retry_after="3"), Outcome.UNKNOWN, "http-503"),
    ],
)  # fmt: skip
def test_what_an_answer_proves(answer: bytes, outcome: Outcome, code: str) -> None:
    said, _ = perform(ME, answer)
    assert (said.outcome, said.code) == (outcome, code)
    assert SECRET not in repr(said)


@pytest.mark.parametrize("payload", [{"title": " "}, {"title": None}, {"body": float("nan")}])
def test_content_that_cannot_be_said_is_not_sent(payload: dict[str, Any]) -> None:
    said, requests = perform(ME, **payload)
    assert (said.outcome, requests) == (Outcome.REFUSED, [])


@pytest.mark.parametrize("kind", [Kind.START_JOB, Kind.UPLOAD_FILE])
def test_kinds_that_are_not_there(kind: Kind) -> None:
    with site(ME) as (connector, server):
        said = connector.perform(EffectRequest(kind, MARKER, "", "", {"title": "x"}, 2))
        seen = connector.look_up(LookUpRequest(kind, MARKER, "", 2))
        with pytest.raises(InventoryError):
            list(connector.inventory(kind=kind, deadline_s=2))
    assert (said.code, seen.verdict, server.requests) == ("kind-not-declared", Verdict.CANNOT_TELL, [])


@pytest.mark.parametrize(
    ("declaration", "pointer"),
    [
        ({"fields": {"state": "status"}}, "/fields/state"),
        ({"fields": {"link": "canonical_url"}}, "/fields/link"),
        ({"site_url": "shop.example"}, "/site_url"),
        ({"tags": ["x"]}, "/"),
    ],
)
def test_a_declaration_that_does_not_fit(declaration: dict[str, Any], pointer: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        connect(Connection("http://shop.example", declaration, {"admin_api_key": f"{KEY_ID}:{SECRET}"}))
    assert pointer in [problem.pointer for problem in caught.value.problems]

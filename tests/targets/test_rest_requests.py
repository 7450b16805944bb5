from __future__ import annotations

import base64
import hashlib
from typing import Any

import pytest

from once_delivery.targets.base import FileBytes, Outcome
from tests.fakes.scripted_server import answered
from tests.targets.rest_api import CLIENT_ID, MARKER, api, declared, request, thing


def test_the_same_request_is_the_same_to_the_byte() -> None:
    with api(answered(thing(), 201)) as (connector, server):
        connector.perform(request({"title": "a", "image": 1}))
        connector.perform(request({"image": 1, "title": "a"}, replay=True))
    assert server.requests[0].body == server.requests[1].body


def test_a_payload_that_lacks_a_field_is_refused_and_nothing_sent() -> None:
    with api(answered({})) as (connector, server):
        got = connector.perform(request({"image": 1}))
        assert (got.outcome, got.code, got.detail) == (Outcome.REFUSED, "template-missing", "payload.title")
        assert server.connections == 0


@pytest.mark.parametrize("title", ["\ud800", float("nan"), {1, 2}])
def test_what_json_cannot_say_is_refused_and_nothing_sent(title: Any) -> None:
    with api(answered({})) as (connector, server):
        assert connector.perform(request({"title": title})).outcome == Outcome.REFUSED
        assert server.connections == 0


def test_header_injection_by_a_payload_is_refused_and_nothing_sent() -> None:
    declaration = declared(create={"headers": {"X-Title": "{{payload.title}}"}})
    with api(answered({}), declaration=declaration) as (connector, server):
        got = connector.perform(request({"title": "a\r\nX-Evil: 1"}))
        assert (got.outcome, got.code) == (Outcome.REFUSED, "bad-request")
        assert server.connections == 0


def test_an_id_that_we_choose() -> None:
    declaration = declared(
        create={
            "method": "PUT", "path": "/drafts/{{client_id}}", "headers": {"If-None-Match": "*"}, "client_chosen_id": True,
        }
    )  # fmt: skip
    with api(answered(thing(id=CLIENT_ID.upper()), 201), answered(thing(), 201), declaration=declaration) as (
        connector,
        server,
    ):
        assert connector.perform(request()).outcome == Outcome.DONE
        other = connector.perform(request())
    assert (other.outcome, other.code) == (Outcome.UNKNOWN, "id-mismatch")
    assert (server.requests[0].method, server.requests[0].target) == ("PUT", f"/api/drafts/{CLIENT_ID}")
    assert server.requests[0].headers["if-none-match"] == "*"


DATA = bytes(range(256)) * 40
FILE = FileBytes('a "b" ü.png', "image/png", hashlib.sha256(DATA).hexdigest(), DATA)


def upload(**create: Any) -> dict[str, Any]:
    declaration = declared(create={"path": "/files", **create})
    if create.get("encoding") != "json":
        del declaration["kinds"]["create_draft"]["create"]["body"]
    return declaration


def with_file() -> Any:
    payload = {
        "title": "t",
        "file": {"sha256": FILE.sha256, "name": FILE.name, "media_type": FILE.media_type},
    }
    return request(payload, files={FILE.sha256: FILE})


def test_file_bytes_as_base64() -> None:
    declaration = upload(
        encoding="json", body={"data": "{{file.base64}}", "size": "{{file.size}}", "name": "{{file.name}}"}
    )
    with api(answered(thing(), 201), declaration=declaration) as (connector, server):
        assert connector.perform(with_file()).outcome == Outcome.DONE
    sent = server.requests[0].json
    assert (base64.b64decode(sent["data"]), sent["size"], sent["name"]) == (DATA, len(DATA), FILE.name)


def test_file_bytes_raw() -> None:
    declaration = upload(
        encoding="raw", headers={"Content-Disposition": "attachment; filename={{file.sha256}}"}
    )
    with api(answered(thing(), 201), declaration=declaration) as (connector, server):
        assert connector.perform(with_file()).outcome == Outcome.DONE
    assert (server.requests[0].body, server.requests[0].headers["content-type"]) == (DATA, "image/png")


def test_file_bytes_in_parts_with_the_fields_before_them() -> None:
    declaration = upload(
        encoding="multipart", fields={"marker": "{{marker}}", "alt": "{{payload.alt?}}"}, file_field="file"
    )
    with api(answered(thing(), 201), declaration=declaration) as (connector, server):
        connector.perform(with_file())
        connector.perform(with_file())
    first, second = server.requests
    assert first.body == second.body
    assert DATA in first.body
    assert first.body.index(MARKER.encode()) < first.body.index(b'name="file"')
    assert b'name="alt"' not in first.body
    assert first.headers["content-type"].startswith("multipart/form-data; boundary=once-")


def test_a_file_that_is_not_given_is_refused_and_nothing_sent() -> None:
    with api(answered({}), declaration=upload(encoding="raw")) as (connector, server):
        assert connector.perform(request()).outcome == Outcome.REFUSED
        assert server.connections == 0


@pytest.mark.parametrize(
    ("auth", "credentials", "header", "value", "query"),
    [
        ({"scheme": "none"}, {}, "authorization", None, ""),
        ({"scheme": "basic", "username": "u", "password": "p"}, {"u": "王", "p": "x:y"}, "authorization",
         "Basic " + base64.b64encode("王:x:y".encode()).decode(), ""),
        ({"scheme": "header", "name": "X-Api-Key", "credential": "k"}, {"k": "abc"}, "x-api-key", "abc", ""),
        ({"scheme": "header", "name": "Authorization", "prefix": "Token ", "credential": "k"}, {"k": "abc"},
         "authorization", "Token abc", ""),
        ({"scheme": "query", "name": "key", "credential": "k"}, {"k": "a&b"}, "authorization", None, "?key=a%26b"),
    ],
    ids=["none", "basic", "header", "prefix", "query"],
)  # fmt: skip
def test_authentication(
    auth: dict[str, str], credentials: dict[str, str], header: str, value: str | None, query: str
) -> None:
    with api(answered(thing(), 201), declaration=declared({"auth": auth}), credentials=credentials) as (
        connector,
        server,
    ):
        assert connector.perform(request()).outcome == Outcome.DONE
    assert server.requests[0].headers.get(header) == value
    assert server.requests[0].target == f"/api/drafts{query}"

"""Hostile bytes get a clear word and never a traceback."""

from __future__ import annotations

import pytest

from once_delivery.sandbox.process import SandboxProcess
from tests.sandbox.caller import Caller


def _raw(caller: Caller, data: bytes) -> bytes:
    with caller.connect() as connection:
        connection.sendall(data)
        got = b""
        while part := connection.recv(65_536):
            got += part
    return got


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"title": NaN}', b'{"title": "a\\u0000b"}', b'{"a\\u0000": 1}',
        b'{"title": "\\ud800"}', b"[" * 100_000, b'{"n": 1e999}', b'{"n": ' + b"9" * 5000 + b"}", b'{"t": "\0"}',
    ],
)  # fmt: skip
def test_bad_bodies(caller: Caller, body: bytes) -> None:
    reply = caller.ask("POST", "/drafts", body)
    assert reply.status == 400
    assert reply.json["error"]["code"] in ("bad_json", "bad_text")
    assert caller.held() == []


@pytest.mark.parametrize(
    "fields",
    [
        {"title": 1}, {"body": []}, {"marker": ""}, {"marker": "m" * 201}, {"marker": 7}, {"status": "x"},
        {"title": "t" * 1001}, {"locale": {}},
    ],
)  # fmt: skip
def test_bad_fields(caller: Caller, fields: dict[str, object]) -> None:
    reply = caller.ask("POST", "/drafts", fields)
    assert (reply.status, reply.json["error"]["code"]) == (422, "bad_field")


def test_unknown_fields_are_kept_as_they_are(caller: Caller) -> None:
    made = caller.create(purpose="ad", meta={"深": ["值", None, 1.5]}, id="d1", version=99).json
    assert (made["purpose"], made["meta"]) == ("ad", {"深": ["值", None, 1.5]})
    assert made["version"] == 1
    assert made["id"] != "d1"


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nA: \0\r\n\r\n", 400),
        (b"GET /%00 HTTP/1.1\r\n\r\n", 400),
        (b"GET /%ff HTTP/1.1\r\n\r\n", 400),
        (b"BREW / HTTP/1.1\r\n\r\n", 501),
        (b"POST /health HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400),
        (b"POST /health HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        (b"POST /health HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        (b"POST /health HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (b"GET / HTTP/1.1\r\nA: " + b"x" * 70_000 + b"\r\n\r\n", 431),
        (b"POST /spaces/a/drafts HTTP/1.1\r\nContent-Length: 33554433\r\n\r\n" + b"x" * 300_000, 413),
        (b"GET http://[ HTTP/1.1\r\n\r\n", 400),
        (b"GET //[ HTTP/1.1\r\nConnection: close\r\n\r\n", 404),
        (b"GET /?a=%ff HTTP/1.1\r\n\r\n", 400),
        (b"GET /?" + b"a=1&" * 60 + b" HTTP/1.1\r\n\r\n", 400),
        (b"GET /?lang=%00 HTTP/1.1\r\n\r\n", 400),
    ],
)
def test_bad_heads(caller: Caller, data: bytes, status: int) -> None:
    answer = _raw(caller, data)
    assert answer.split(b" ")[1] == str(status).encode()
    assert b'"error"' in answer
    assert b"Traceback" not in answer


def test_unknown_places(caller: Caller, sandbox: SandboxProcess) -> None:
    for path in ("/spaces/nope/drafts", "/admin/nope", "/nope", "/admin/spaces/nope/inventory"):
        head = (
            f"GET {path} HTTP/1.1\r\nConnection: close\r\nAuthorization: Bearer {sandbox.admin_token}\r\n\r\n"
        )
        assert b" 404 " in _raw(caller, head.encode())[:20]
    assert caller.ask("POST", "/drafts/a/b", {"title": "x"}).status == 405
    assert caller.ask("GET", "/drafts/nope").status == 404


def test_keep_alive_and_pipelining(caller: Caller) -> None:
    health = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
    last = b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    assert _raw(caller, health * 3 + last).count(b"HTTP/1.1 200 OK") == 4


def test_head_has_no_body(caller: Caller) -> None:
    answer = _raw(caller, b"HEAD /health HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert answer.endswith(b"\r\n\r\n")


def test_expect_continue(caller: Caller) -> None:
    head, body = caller.head_of_create().split(b"\r\n\r\n")
    with caller.connect() as connection:
        connection.sendall(head + b"\r\nExpect: 100-continue\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 100 ")
        connection.sendall(body)
        assert connection.recv(4096).startswith(b"HTTP/1.1 201 ")


def test_a_caller_who_leaves_in_the_body_made_nothing(caller: Caller) -> None:
    with caller.connect() as connection:
        connection.sendall(caller.head_of_create()[:-5])
    assert caller.admin.log(caller.space) == []


def test_nothing_of_this_was_unexpected(sandbox: SandboxProcess) -> None:
    assert "Traceback" not in (sandbox.data / "stderr.log").read_text()

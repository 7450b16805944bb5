"""The proxy that loses answers: what the target committed, what the caller sees, what is remembered."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from once_delivery.drill.losing_proxy import LosingProxy
from once_delivery.drill.passing import Loss
from once_delivery.sandbox.process import SandboxProcess
from tests.fakes.scripted_server import answered, serving

OK = answered({"id": "1"})
MARKER = "once-aaaaaaaaaaaaaaaaaaaaaaaaaa"
OTHER = "once-bbbbbbbbbbbbbbbbbbbbbbbbbb"


class Space:
    """A space of the sandbox, and a way to it through the proxy."""

    def __init__(self, process: SandboxProcess, **settings: Any) -> None:
        self.admin = process.admin
        self.token = self.admin.put_space("s", **settings)["token"]
        self.proxy = LosingProxy(self.admin.content_url("s"), allow_inside=True)

    def ask(
        self, method: str, path: str, document: Any = None, *, timeout: float = 10, **headers: str
    ) -> tuple[int, Any]:
        parts = urlsplit(self.proxy.base_url)
        connection = http.client.HTTPConnection(parts.netloc, timeout=timeout)
        try:
            connection.request(
                method,
                parts.path + path,
                json.dumps(document) if document is not None else None,
                {
                    "Authorization": f"Bearer {self.token}",
                    **{k.replace("_", "-"): v for k, v in headers.items()},
                },
            )
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def create(self, marker: str = MARKER, **more: Any) -> tuple[int, Any]:
        return self.ask("POST", "/drafts", {"title": "t", "marker": marker}, **more)


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[SandboxProcess]:
    with SandboxProcess(tmp_path) as process:
        yield process


@pytest.fixture
def space(sandbox: SandboxProcess) -> Iterator[Space]:
    made = Space(sandbox, idempotency=True)
    with made.proxy:
        yield made


def test_what_is_not_to_be_lost_passes_unchanged(space: Space) -> None:
    status, made = space.create()
    read, seen = space.ask("GET", f"/drafts/{made['id']}")
    assert (status, read, seen["marker"]) == (201, 200, MARKER)
    (call,) = space.proxy.calls()
    assert (call.method, call.marker, call.status, call.result_id) == ("POST", MARKER, 201, made["id"])
    assert (call.created, call.answered) == (True, True)


@pytest.mark.parametrize("how", [Loss.CUT, Loss.RESET, Loss.HALF], ids=str)
def test_an_answer_is_lost_after_the_commit_and_only_once(space: Space, how: Loss) -> None:
    space.proxy.lose(MARKER, how)
    with pytest.raises((OSError, http.client.HTTPException)):
        space.create()
    assert space.create(OTHER)[0] == 201
    assert space.create()[0] == 201
    calls = [(call.marker, call.created, call.answered) for call in space.proxy.calls()]
    assert calls == [(MARKER, True, False), (OTHER, True, True), (MARKER, True, True)]
    assert len(space.admin.objects("s")) == 3


def test_half_of_an_answer_that_has_no_body_ends_within_its_headers() -> None:
    """So a store answers a PUT: what http.client takes for a whole answer lacks its end."""
    upstream = b"HTTP/1.1 200 OK\r\nETag: x\r\nContent-Length: 0\r\n\r\n"
    with serving(upstream) as server, LosingProxy(server.url, allow_inside=True) as proxy:
        proxy.lose(MARKER, Loss.HALF)
        with socket.create_connection(("127.0.0.1", urlsplit(proxy.base_url).port or 0), timeout=5) as caller:
            caller.sendall(f"PUT /drafts/{MARKER} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n".encode())
            heard = caller.makefile("rb").read()
        assert (heard[:15], heard[-2:], b"\r\n\r\n" in heard) == (b"HTTP/1.1 200 OK", b"\r\n", False)
        (call,) = proxy.calls()
        assert (call.created, call.answered) == (True, False)


@pytest.mark.parametrize("keep_host", [True, False])
def test_whose_name_the_target_is_called_by(*, keep_host: bool) -> None:
    """The caller's where it has signed that, else the target's own: each exactly once."""
    with serving(OK) as server, LosingProxy(server.url, allow_inside=True, keep_host=keep_host) as proxy:
        connection = http.client.HTTPConnection(urlsplit(proxy.base_url).netloc, timeout=5)
        connection.request("PUT", "/x", b"{}", {"Host": "signed.example"})
        connection.getresponse().read()
        connection.close()
        (asked,) = server.requests
    assert asked.headers["host"] == ("signed.example" if keep_host else urlsplit(server.url).netloc)


def test_a_caller_that_hangs_goes_by_itself(space: Space) -> None:
    space.proxy.lose(MARKER, Loss.HANG)
    begun = time.monotonic()
    with pytest.raises(TimeoutError):
        space.create(timeout=0.5)
    assert time.monotonic() - begun < 3
    assert len(space.admin.objects("s")) == 1


def test_a_request_is_lost_before_the_target_sees_it(space: Space) -> None:
    space.proxy.lose(MARKER, Loss.BEFORE)
    with pytest.raises(http.client.RemoteDisconnected):
        space.create()
    (call,) = space.proxy.calls()
    assert (call.status, call.created, call.answered) == (None, False, False)
    assert space.admin.objects("s") == []


def test_a_replay_makes_nothing_new(space: Space) -> None:
    space.proxy.lose(MARKER)
    with pytest.raises(http.client.RemoteDisconnected):
        space.create(Idempotency_Key="k")
    assert space.create(Idempotency_Key="k")[0] == 201
    assert [call.created for call in space.proxy.calls()] == [True, False]


def test_a_refusal_creates_nothing(space: Space) -> None:
    assert space.ask("POST", "/drafts", {"marker": MARKER, "status": "published"})[0] == 403
    (call,) = space.proxy.calls()
    assert (call.status, call.created, call.answered) == (403, False, True)


def test_a_target_that_is_not_there(tmp_path: Path) -> None:
    with LosingProxy("http://127.0.0.1:1/x", allow_inside=True) as proxy:
        connection = http.client.HTTPConnection(urlsplit(proxy.base_url).netloc, timeout=5)
        connection.request("POST", "/x/drafts", MARKER)
        with pytest.raises(http.client.RemoteDisconnected):
            connection.getresponse()
        connection.close()
        assert [(call.status, call.answered) for call in proxy.calls()] == [(None, False)]


def test_it_stops_while_a_caller_hangs(space: Space) -> None:
    parts = urlsplit(space.proxy.base_url)
    space.proxy.lose(MARKER, Loss.HANG)
    connection = http.client.HTTPConnection(parts.netloc, timeout=10)
    headers = {"Authorization": f"Bearer {space.token}"}
    connection.request("POST", f"{parts.path}/drafts", json.dumps({"title": "t", "marker": MARKER}), headers)
    until = time.monotonic() + 5
    while not any(call.created for call in space.proxy.calls()) and time.monotonic() < until:
        time.sleep(0.02)
    space.proxy.__exit__()
    with pytest.raises((OSError, http.client.HTTPException)):
        connection.getresponse()
    connection.close()

"""What the proxy must not pass on, over raw sockets: it is never an open relay, and nothing is read in two ways."""

from __future__ import annotations

import hashlib
import json
import socket
import time
from collections.abc import Callable
from datetime import timedelta

from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.vendor_drill.models import RecordedCall
from once_delivery.vendor_drill.proxy.limits import Limits
from tests.builders import a_project
from tests.vendor_drill.given import Vendor, a_vendor, proxy_running
from tests.workers import wait_for

Made = Callable[..., Vendor]


def refused(one: Vendor, data: bytes, status: int, code: str) -> None:
    heard = one.raw(data)
    assert heard.startswith(f"HTTP/1.1 {status} ".encode()), heard
    assert f"x-once-drill: {code}".encode() in heard.lower(), heard
    assert heard.count(b"HTTP/1.1 ") == 1, heard  # what followed on the connection was never read


def test_smuggled_and_doubtful_heads_are_refused_and_nothing_is_forwarded(vendor: Made) -> None:
    one = vendor()
    way = f"/{one.secret}/drafts".encode()
    host = b"Host: x\r\n"
    body = b'{"title":"Kettle"}'
    length = b"Content-Length: 18\r\n"
    second = b"0\r\n\r\nDELETE " + way + b" HTTP/1.1\r\nHost: x\r\n\r\n"
    for status, code, data in (
        (400, "two-lengths", b"POST " + way + b" HTTP/1.1\r\n" + host + length + b"Transfer-Encoding: chunked\r\n\r\n" + second),
        (400, "two-lengths", b"POST " + way + b" HTTP/1.1\r\n" + host + length + length + b"\r\n" + body),
        (400, "two-lengths", b"POST " + way + b" HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + second),
        (400, "two-lengths", b"POST " + way + b" HTTP/1.1\r\n" + host + length + b"Content-Length: 5\r\n\r\n" + body),
        (400, "bad-request", b"POST " + way + b" HTTP/1.1\r\n" + host + b"Content-Length: +18\r\n\r\n" + body),
        (501, "bad-request", b"POST " + way + b" HTTP/1.1\r\n" + host + b"Transfer-Encoding: xchunked\r\n\r\n" + second),
        (400, "bad-encoding", b"POST " + way + b" HTTP/1.0\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n" + second),
        (400, "folded-header", b"POST " + way + b" HTTP/1.1\r\n" + host + length + b"X: a\r\n b\r\n\r\n" + body),
        (400, "bare-line-end", b"POST " + way + b" HTTP/1.1\r\n" + host + length + b"X: a\nEvil: b\r\n\r\n" + body),
        (400, "bare-line-end", b"POST " + way + b" HTTP/1.1\r\n" + host + length + b"X: a\rEvil: b\r\n\r\n" + body),
        (400, "bare-line-end", b"POST " + way + b" HTTP/1.1\r\n" + host + length + b"X: a\0\r\n\r\n" + body),
        (400, "bad-request", b"POST " + way + b" HTTP/1.1\r\n" + host + b"Content-Length : 18\r\n\r\n" + body),
        (400, "bad-request", b"POST " + way + b" HTTP/1.1\r\n" + length + b"\r\n" + body),
        (400, "two-hosts", b"POST " + way + b" HTTP/1.1\r\n" + host + b"Host: y\r\n" + length + b"\r\n" + body),
        (400, "bad-request-line", b"POST  " + way + b" HTTP/1.1\r\n" + host + length + b"\r\n" + body),
        (400, "bad-request-line", b"POST " + way + b" x HTTP/1.1\r\n" + host + length + b"\r\n" + body),
        (400, "bad-request-line", b"\r\n\r\nPOST " + way + b" HTTP/1.1\r\n" + host + length + b"\r\n" + body),
        (400, "bad-request-line", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        (501, "no-upgrade", b"GET " + way + b" HTTP/1.1\r\n" + host + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"),
        (501, "no-upgrade", b"GET " + way + b" HTTP/1.1\r\n" + host + b"Connection: Upgrade, HTTP2-Settings\r\n\r\n"),
        (431, "head-too-large", b"GET " + way + b" HTTP/1.1\r\n" + host + b"X: " + b"a" * 40_000 + b"\r\n\r\n"),
        (431, "too-many-headers", b"GET " + way + b" HTTP/1.1\r\n" + host + b"X: a\r\n" * 101 + b"\r\n"),
        (400, "bad-body", b"POST " + way + b" HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n"),
        (400, "bad-body", b"POST " + way + b" HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n"),
    ):  # fmt: skip
        refused(one, data, status, code)
    assert not RecordedCall.objects.filter(drill=one.drill).exists()
    assert one.held() == []


def test_no_way_leads_out_of_the_target(vendor: Made, sandbox: SandboxAdmin) -> None:
    one = vendor()
    sandbox.put_space("neighbour")
    for status, code, target in (
        (400, "not-a-path", "http://127.0.0.1:1/x"),
        (400, "not-a-path", f"http://x/{one.secret}/drafts"),
        (400, "not-a-path", "*"),
        (405, "no-tunnel", ""),
        (400, "path-leaves", f"/{one.secret}/../neighbour/drafts"),
        (400, "path-leaves", f"/{one.secret}/.."),
        (400, "path-leaves", f"/{one.secret}/drafts/./x"),
        (400, "path-leaves", f"/{one.secret}/%2e%2e/neighbour/drafts"),
        (400, "path-leaves", f"/{one.secret}/%2E./neighbour/drafts"),
        (400, "path-leaves", f"/{one.secret}/a%2f..%2f..%2fneighbour/drafts"),
        (400, "path-leaves", f"/{one.secret}/..%5cneighbour/drafts"),
        (400, "path-leaves", f"/{one.secret}/..\\neighbour/drafts"),
        (400, "path-leaves", f"/{one.secret}/%252e%252e/neighbour/drafts"),
        (400, "path-leaves", f"/{one.secret}/..;x=1/neighbour/drafts"),
        (400, "path-leaves", f"/{one.secret}/%{'25' * 8}2e%2e/drafts"),
        (400, "path-leaves", f"/{one.secret}/drafts%0d%0aX:%20y"),
        (400, "path-leaves", f"/{one.secret}/drafts%00"),
        (400, "bad-path", f"/{one.secret}/drafts#x"),
        (404, "not-found", f"/{one.secret[:-1]}/drafts"),
        (404, "not-found", f"/{'A' * 43}/drafts"),
        (404, "not-found", "/"),
        (404, "not-found", "/admin/spaces"),
    ):
        line = f"GET {target}" if target else "CONNECT 127.0.0.1:1"
        refused(one, f"{line} HTTP/1.1\r\nHost: x\r\n\r\n".encode(), status, code)
    assert not RecordedCall.objects.filter(drill=one.drill).exists()
    assert not [call for call in sandbox.log("neighbour") if call]


def test_a_path_with_two_slashes_or_an_address_in_it_stays_at_the_target(vendor: Made) -> None:
    one = vendor()
    for path in ("//127.0.0.1:1/x", "/http://127.0.0.1:1/", "/@127.0.0.1:1/"):
        heard = one.raw(f"GET /{one.secret}{path} HTTP/1.1\r\nHost: y\r\nConnection: close\r\n\r\n".encode())
        assert heard.startswith((b"HTTP/1.1 401 ", b"HTTP/1.1 404 ")), heard
    assert RecordedCall.objects.filter(drill=one.drill).count() == 3


def test_bodies_connections_and_patience_have_limits(sandbox: SandboxAdmin, committed: None) -> None:
    limits = Limits(
        body_bytes=1000, read_body=400, head_s=0.3, piece_s=0.3, idle_s=0.3, connections=2, calls=6
    )
    with proxy_running(limits) as running:
        one = a_vendor(a_project(), sandbox, running.port)
        way = f"/{one.secret}/drafts"
        head = f"POST {way} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {one.token}\r\n"
        begun = time.monotonic()
        refused(one, head.encode() + b"Content-Length: 2000\r\n\r\n" + b"a" * 2000, 413, "body-too-large")
        refused(one, head.encode()[:30], 408, "head-too-slow")
        refused(one, head.encode() + b"Content-Length: 100\r\n\r\n{", 408, "body-too-slow")
        assert one.raw(b"") == b""  # who says nothing is let go

        def one_too_many() -> bool:
            idle = [socket.create_connection(("127.0.0.1", running.port)) for _ in range(2)]
            heard = one.raw(f"GET {way} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            for each in idle:
                each.close()
            return heard == b""

        wait_for(one_too_many)
        assert time.monotonic() - begun < 15
        assert one.held() == []
        wait_for(lambda: b" 429 " in one.raw(f"GET {way} HTTP/1.1\r\nHost: x\r\n\r\n".encode()))


def test_a_body_cut_by_its_sender_is_not_passed_on(vendor: Made) -> None:
    one = vendor()
    with socket.create_connection(("127.0.0.1", one.port), timeout=5) as sock:
        sock.sendall(
            f"POST /{one.secret}/drafts HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n".encode()
            + b'{"title"'
        )
        sock.shutdown(socket.SHUT_WR)
        assert b" 400 " in sock.recv(1000)
    assert not RecordedCall.objects.filter(drill=one.drill).exists()


def test_after_the_time_limit_or_the_finish_the_door_is_shut(vendor: Made) -> None:
    one, other = vendor(), vendor()
    assert one.create("Kettle")[0] == other.create("Kettle")[0] == 201
    one.finish()
    assert one.try_create("Lamp") == 410
    assert one.held() == ["Kettle"]
    assert other.try_create("Lamp") is None
    assert RecordedCall.objects.filter(drill=one.drill).count() == 1
    assert other.drill.ends_at is not None
    assert other.drill.ends_at - other.drill.opened_at == timedelta(seconds=600)  # type: ignore[operator]


def test_what_is_recorded_names_no_secret(vendor: Made) -> None:
    one = vendor()
    one.ask("POST", "/drafts?token=abcdefghijk", {"title": "Kettle"}, Idempotency_Key="k")
    (call,) = RecordedCall.objects.filter(drill=one.drill)
    assert (call.path, call.item) == ("/drafts?token=***", "A")
    assert call.body_sha256 == hashlib.sha256(json.dumps({"title": "Kettle"}).encode()).hexdigest()
    assert call.answer.status == call.answer.given == 201
    assert one.secret not in repr(call.__dict__)

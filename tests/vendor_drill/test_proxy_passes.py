"""What the proxy passes on: everything that no fault strikes, as it came, both ways."""

from __future__ import annotations

import gzip
import http.client
import json
import socket
import threading
import time
from collections.abc import Callable

import pytest

from once_delivery.vendor_drill import tasks
from once_delivery.vendor_drill.models import ItemVerdict, RecordedCall
from once_delivery.vendor_drill.proxy.addresses import Upstream
from once_delivery.vendor_drill.services.close_drill import close_overdue
from tests.fakes.scripted_server import Received, hangs_up
from tests.vendor_drill.given import Running, Vendor
from tests.vendor_drill.scripted import reply, scripted

Made = Callable[..., Vendor]


def test_heads_and_bodies_arrive_as_they_were_sent(proxy: Running) -> None:
    packed = gzip.compress(json.dumps({"title": "Lamp"}).encode())
    answer = reply(packed, "HTTP/1.1 203 Quite So", Content_Encoding="gzip", X_Case="Kept", Set_Cookie="a=b")
    with scripted(answer) as (server, secret, drill):
        connection = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=5)
        connection.request(
            "PROPFIND",
            f"/{secret}/a%2Fb/ü?x=1&y=/../z".replace("ü", "%C3%BC"),
            b"\x00\xff",
            {"X-Own": "1", "Connection": "keep-alive, X-Hop", "X-Hop": "gone", "TE": "trailers"},
        )
        got = connection.getresponse()
        assert (got.status, got.reason, got.read()) == (203, "Quite So", packed)
        assert (got.getheader("X-Case"), got.getheader("Set-Cookie")) == ("Kept", "a=b")
        connection.request("GET", f"/{secret}")  # the same connection again
        assert connection.getresponse().read() == packed
        connection.close()
        first, second = server.requests
        assert (first.method, first.target, first.body) == (
            "PROPFIND",
            "/base/a%2Fb/%C3%BC?x=1&y=/../z",
            b"\x00\xff",
        )
        assert first.headers["host"] == f"127.0.0.1:{server.port}"
        assert {"x-own": "1"}.items() <= first.headers.items()
        assert not {"x-hop", "te", "connection"} & first.headers.keys()
        assert (second.method, second.target) == ("GET", "/base")
        assert server.connections == 1
    shows = RecordedCall.objects.get(drill=drill, method="GET").answer.shows
    assert shows == "B"  # read out of the packed answer, which itself stayed as it was


def test_bodies_stream_both_ways_however_large(proxy: Running) -> None:
    big = b"x" * 3_000_000
    with scripted(reply(big)) as (_, secret, drill):
        connection = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=10)
        pieces = iter([big[:1_500_000], big[1_500_000:]])
        connection.request("POST", f"/{secret}/files", pieces, {"Content-Length": "3000000"})
        got = connection.getresponse()
        assert (got.status, len(got.read())) == (200, 3_000_000)
        connection.close()
    (call,) = RecordedCall.objects.filter(drill=drill)
    assert (call.item, call.body_sha256) == ("", "")  # not known when it was let through
    assert (call.answer.request_bytes, call.answer.answer_bytes) == (3_000_000, 3_000_000)
    assert len(call.answer.body_sha256) == 64


def test_redirects_lead_through_the_proxy_again() -> None:
    upstream = Upstream.of("https://cms.example:8443/wp/")
    for given, led in (
        ("https://cms.example:8443/wp/posts/1?x=1#y", "/door/posts/1?x=1#y"),
        ("/wp/posts/1", "/door/posts/1"),
        ("/wp", "/door"),
        ("/wpx/posts", "/wpx/posts"),
        ("posts/1", "posts/1"),
        ("https://cms.example/wp/posts/1", "https://cms.example/wp/posts/1"),
        ("https://evil.example:8443/wp/x", "https://evil.example:8443/wp/x"),
        ("//evil.example/wp/x", "//evil.example/wp/x"),
        ("javascript:alert(1)", "javascript:alert(1)"),
        ("https://[", "https://["),
    ):
        assert upstream.relocated(given, "/door") == led


def test_a_created_object_is_located_behind_the_proxy(vendor: Made) -> None:
    one = vendor()
    heard = one.raw(
        f"POST /{one.secret}/drafts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {one.token}\r\n"
        "Content-Length: 18\r\nConnection: close\r\n\r\n".encode() + b'{"title":"Kettle"}'
    )  # fmt: skip
    where = heard.split(b"Location: ")[1].split(b"\r\n")[0].decode()
    assert where.startswith(f"/{one.secret}/drafts/")
    assert one.ask("GET", where.removeprefix(f"/{one.secret}"))[1]["title"] == "Kettle"


def test_an_answer_that_is_cut_reaches_the_caller_cut(proxy: Running) -> None:
    with scripted(hangs_up(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}")) as (_, secret, drill):
        connection = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=5)
        connection.request("POST", f"/{secret}/drafts", b'{"title": "Kettle"}')
        with pytest.raises((http.client.HTTPException, OSError)):
            connection.getresponse().read()
        connection.close()
    (call,) = RecordedCall.objects.filter(drill=drill)
    assert (call.item, call.answer.status, call.answer.given, call.answer.note) == (
        "A",
        200,
        None,
        "cut-short",
    )


def test_a_target_that_is_not_there_is_told_apart_from_a_lost_answer(proxy: Running) -> None:
    with scripted(b"") as (server, secret, drill):
        server.close()
        connection = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=5)
        connection.request("POST", f"/{secret}/drafts", b'{"title": "Kettle"}')
        got = connection.getresponse()
        assert (got.status, got.getheader("X-Once-Drill")) == (502, "target-unreachable")
        connection.close()
    assert RecordedCall.objects.get(drill=drill).answer.note == "unreachable"


def test_the_time_limit_ends_what_is_under_way_and_the_drill_is_judged_as_it_stands(proxy: Running) -> None:
    def silent(connection: socket.socket, _: Received) -> None:
        time.sleep(1.5)

    with scripted(silent, limit_s=0.7) as (_, secret, drill):
        begun = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=5)
        connection.request("POST", f"/{secret}/drafts", b'{"title": "Kettle"}')
        with pytest.raises((http.client.HTTPException, OSError)):
            connection.getresponse()
        connection.close()
        assert time.monotonic() - begun < 1.4
        assert close_overdue() == [drill.pk]
        tasks.count(drill.pk)
        drill.refresh_from_db()
        assert (drill.status, drill.closed_by, drill.trouble) == ("expired", None, {})
        verdicts = {one.item: one.why for one in ItemVerdict.objects.filter(drill=drill)}
        assert verdicts == {"A": "missing", "B": "missing", "C": "missing", "": "rest-untouched"}
        connection.request("GET", f"/{secret}/drafts")
        assert connection.getresponse().status == 410
        connection.close()


def test_pieces_of_unknown_length_and_a_caller_that_waits_for_leave(vendor: Made) -> None:
    one = vendor()
    with socket.create_connection(("127.0.0.1", one.port), timeout=5) as sock:
        sock.sendall(
            f"POST /{one.secret}/drafts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {one.token}\r\n"
            "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n".encode()
        )
        assert sock.recv(100).startswith(b"HTTP/1.1 100 ")
        sock.sendall(b'9\r\n{"title":\r\n9\r\n"Kettle"}\r\n0\r\n\r\n')
        assert sock.recv(100).startswith(b"HTTP/1.1 201 ")
    assert one.held() == ["Kettle"]
    assert RecordedCall.objects.get(drill=one.drill).item == "A"


def test_a_pipelined_request_waits_its_turn(vendor: Made) -> None:
    one = vendor()
    ask = f"GET /{one.secret}/drafts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {one.token}\r\n"
    heard = one.raw(f"{ask}\r\n{ask}Connection: close\r\n\r\n".encode())
    assert heard.count(b"HTTP/1.1 200 ") == 2


def test_many_at_once(vendor: Made) -> None:
    one = vendor()
    statuses: list[int] = []

    def look() -> None:
        statuses.extend(one.ask("GET", "/drafts")[0] for _ in range(5))

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 40
    assert RecordedCall.objects.filter(drill=one.drill, answer__given=200).count() == 40

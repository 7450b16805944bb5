"""What the proxy reads out of answers that it passes on, and what it asks for so that it can."""

from __future__ import annotations

import http.client
import json
import time
import zlib
from dataclasses import replace
from typing import Any

import pytest

from once_delivery.vendor_drill.models import RecordedCall
from once_delivery.vendor_drill.proxy.limits import LIMITS
from tests.fakes.scripted_server import sends
from tests.vendor_drill.given import Running, proxy_running
from tests.vendor_drill.scripted import reply, scripted

PLAIN = "/index.php?rest_route=/wp/v2/posts"


def ask(port: int, method: str, path: str, document: Any = None, **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    body = json.dumps(document) if document is not None else None
    connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    response = connection.getresponse()
    response.read()
    connection.close()
    return response


@pytest.mark.parametrize(
    ("accepted", "asked_for"),
    [
        ("gzip, compress, deflate, br", "gzip, deflate"),
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", "gzip;q=0.8"),
        ("br", "identity"),
        ("", "identity"),
    ],
)
def test_only_packings_that_the_proxy_can_read_are_asked_for(
    proxy: Running, accepted: str, asked_for: str
) -> None:
    with scripted(reply()) as (server, secret, _):
        ask(proxy.port, "GET", f"/{secret}/drafts", Accept_Encoding=accepted)
        assert server.requests[0].headers["accept-encoding"] == asked_for


def test_what_some_servers_call_deflate_is_read(proxy: Running) -> None:
    pressing = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    packed = pressing.compress(b'{"title": "Lamp"}') + pressing.flush()
    with scripted(reply(packed, Content_Encoding="deflate")) as (_, secret, drill):
        ask(proxy.port, "GET", f"/{secret}/drafts")
    assert RecordedCall.objects.get(drill=drill).answer.shows == "B"


def test_a_long_list_is_read_to_its_end(proxy: Running) -> None:
    drafts = [{"title": f"Other {number}", "body": "x" * 10_000} for number in range(99)]
    body = json.dumps([*drafts, {"title": "Lamp"}]).encode()
    assert len(body) > LIMITS.held_answer
    with scripted(reply(body)) as (_, secret, drill):
        ask(proxy.port, "GET", f"/{secret}/drafts?per_page=100")
    assert RecordedCall.objects.get(drill=drill).answer.shows == "B"


@pytest.mark.parametrize(
    ("head", "shows"),
    [("HTTP/1.1 200 OK", "A"), ("HTTP/1.1 404 Not Found", ""), ("HTTP/1.1 403 Forbidden", "")],
)
def test_a_refusal_shows_nothing_whatever_was_asked_for(proxy: Running, head: str, shows: str) -> None:
    made = reply(b'{"id": 7}', "HTTP/1.1 201 Created")
    with scripted(made, reply(b"{}", head)) as (_, secret, drill):
        ask(proxy.port, "POST", f"/{secret}/drafts", {"title": "Kettle"})
        ask(proxy.port, "GET", f"/{secret}/drafts/7")
    assert RecordedCall.objects.get(drill=drill, method="GET").answer.shows == shows


def test_addresses_with_the_route_in_the_query(proxy: Running) -> None:
    """As those of a WordPress whose server rewrites no paths."""
    answers = [
        reply(b"{}", "HTTP/1.1 201 Created", Location=f"http://127.0.0.1/base{PLAIN}/7"),
        reply(b"[]"),
        reply(b"{}"),
        reply(b"{}", "HTTP/1.1 201 Created"),
        reply(b"{}"),
    ]
    with scripted(*answers, creates_at=PLAIN) as (_, secret, drill):
        ask(proxy.port, "POST", f"/{secret}{PLAIN}", {"title": "Kettle"})
        ask(proxy.port, "GET", f"/{secret}/index.php?rest_route=/wp/v2/users")
        ask(proxy.port, "POST", f"/{secret}{PLAIN}/7", {"title": "Kettle"})
        ask(proxy.port, "POST", f"/{secret}/index.php?rest_route=/wp/v2/media", {"title": "Kettle"})
        ask(proxy.port, "GET", f"/{secret}{PLAIN}%2F7")
    made, users, changed, media, read = RecordedCall.objects.filter(drill=drill).order_by("pk")
    assert made.answer.names == ["7"]
    assert [one.creates for one in (made, changed, media)] == [True, False, False]
    assert [one.answer.shows for one in (users, read)] == ["", "A"]


def test_what_an_answer_names_leads_back_by_the_name_that_was_called(proxy: Running) -> None:
    with scripted(b"") as (server, secret, _):
        link = f'<{server.url}/base/drafts?page=2>; rel="next"'
        server.answers[:] = [sends(reply(Link=link, Set_Cookie="s=1; Path=/; Secure"))]
        got = ask(proxy.port, "GET", f"/{secret}/drafts", Host="drill.example:81")
        assert got.getheader("Link") == f'<http://drill.example:81/{secret}/drafts?page=2>; rel="next"'
        assert got.getheader("Set-Cookie") == f"s=1; Path=/{secret}"
        strange = ask(proxy.port, "GET", f"/{secret}/drafts", Host="<drill>")
        assert strange.getheader("Link") == f'</{secret}/drafts?page=2>; rel="next"'


def test_and_by_the_public_name_where_something_stands_before_the_proxy(committed: None) -> None:
    with (
        proxy_running(public_url="https://drills.example/in") as proxy,
        scripted(b"") as (server, secret, _),
    ):
        server.answers[:] = [sends(reply(Link=f"<{server.url}/base/x>; rel=next", Set_Cookie="s=1; Secure"))]
        got = ask(proxy.port, "GET", f"/{secret}/drafts", Host="10.0.0.7")
        assert got.getheader("Link") == f"<https://drills.example/in/{secret}/x>; rel=next"
        assert got.getheader("Set-Cookie") == "s=1; Secure"


def test_a_connection_that_the_target_may_be_closing_is_not_used_again(committed: None) -> None:
    limits = replace(LIMITS, link_idle_s=0.2)
    with proxy_running(limits) as proxy, scripted(reply()) as (server, secret, _):
        connection = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=5)
        for pause in (0.0, 0.0, 0.3):
            time.sleep(pause)
            connection.request("GET", f"/{secret}/drafts")
            connection.getresponse().read()
        connection.close()
        assert (len(server.requests), server.connections) == (3, 2)


def test_what_cannot_be_read_is_recorded_and_forwarded(proxy: Running) -> None:
    """What Python's parser of such a head makes of it is not the vendor's concern."""
    body = b"--b\r\nContent-Disposition: form-data; name=title; filename*\r\n\r\nVase\r\n--b--\r\n"
    with scripted(reply(), recognise="form", place="title") as (server, secret, drill):
        for kind in ("multipart/form-data; boundary=b", "multipart/form-data; boundary=b; filename*"):
            connection = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=5)
            connection.request("POST", f"/{secret}/drafts", body, {"Content-Type": kind})
            assert connection.getresponse().read() == b"{}"
            connection.close()
        assert [one.body for one in server.requests] == [body, body]
    assert list(RecordedCall.objects.filter(drill=drill).values_list("path", "item")) == [("/drafts", "")] * 2

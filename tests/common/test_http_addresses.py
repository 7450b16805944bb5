from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Sequence

import pytest

from once_delivery.common.http import HttpClient, HttpRequest, NotSentError
from once_delivery.common.http.addresses import refusal
from tests.fakes.scripted_server import answered, serving

INSIDE = [
    "127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.5.5", "192.168.1.1", "100.64.0.1", "169.254.1.1",
    "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", "192.88.99.1", "::1", "fe80::1",
    "fc00::1", "fd12:3456::1", "2001:db8::1", "2002:7f00:1::", "2001::1", "::ffff:127.0.0.1",
    "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "fec0::1",
]  # fmt: skip
NEVER = [
    "169.254.169.254", "100.100.100.200", "168.63.129.16", "fd00:ec2::254", "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe", "224.0.0.1", "239.1.1.1", "ff02::1", "0.0.0.0", "::", "240.0.0.1", "255.255.255.255",  # noqa: S104
    "::7f00:1", "64:ff9b:1::1",
]  # fmt: skip
PUBLIC = ["93.184.216.34", "8.8.8.8", "2606:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8"]


@pytest.mark.parametrize("text", INSIDE)
def test_inside_addresses_need_permission(text: str) -> None:
    address = ipaddress.ip_address(text)
    assert refusal(address, allow_inside=False) == "inside"
    assert refusal(address, allow_inside=True) == ""


@pytest.mark.parametrize("text", NEVER)
def test_some_addresses_are_no_target_whatever_is_allowed(text: str) -> None:
    assert refusal(ipaddress.ip_address(text), allow_inside=True)
    assert refusal(ipaddress.ip_address(text), allow_inside=False)


@pytest.mark.parametrize("text", PUBLIC)
def test_public_addresses(text: str) -> None:
    assert refusal(ipaddress.ip_address(text), allow_inside=False) == ""


def refused(url: str, client: HttpClient, deadline_s: float = 2.0) -> NotSentError:
    with pytest.raises(NotSentError) as caught:
        client.send(HttpRequest("POST", url, deadline_s, {}, b"{}"))
    client.close()
    return caught.value


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "127.0.0.1",
        "127.1",
        "0x7f.0.0.1",
        "2130706433",
        "017700000001",
        "[::1]",
        "[::ffff:7f00:1]",
        "0",
    ],
)
def test_every_spelling_of_this_machine_is_refused(host: str) -> None:
    with serving(answered({})) as server:
        assert refused(f"http://{host}:{server.port}/", HttpClient()).code == "address-refused"
    assert server.connections == 0


class Resolver:
    """Gives its answers in order, as a name server of an attacker would."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, int]] = []

    def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append((host, port))
        return self.answers.pop(0)


def test_a_name_is_resolved_once_and_what_was_checked_is_dialled() -> None:
    resolver = Resolver(["127.0.0.1"], ["169.254.169.254"])
    client = HttpClient(allow_inside=True, resolver=resolver)
    with serving(answered({})) as server:
        result = client.send(HttpRequest("GET", f"http://cms.example:{server.port}/x", 2))
        client.close()
    assert result.status == 200
    assert server.requests[0].headers["host"] == f"cms.example:{server.port}"
    assert resolver.asked == [("cms.example", server.port)]


def test_a_name_that_points_inside_the_second_time_is_refused_the_second_time() -> None:
    resolver = Resolver(["127.0.0.1"], ["169.254.169.254"])
    client = HttpClient(allow_inside=True, resolver=resolver)
    with serving(answered({}, connection="close")) as server:
        client.send(HttpRequest("GET", f"http://cms.example:{server.port}/x", 2))
        error = refused(f"http://cms.example:{server.port}/x", client)
    assert error.code == "address-refused"
    assert len(server.requests) == 1


def test_one_inside_address_among_others_refuses_all() -> None:
    client = HttpClient(resolver=Resolver(["8.8.8.8", "10.0.0.1"]))
    assert refused("http://cms.example/", client).code == "address-refused"


def test_the_next_address_is_tried_when_one_refuses_the_connection() -> None:
    with serving(answered({})) as server:
        client = HttpClient(allow_inside=True, resolver=Resolver(["127.0.0.2", "127.0.0.1"]))
        result = client.send(HttpRequest("POST", f"http://cms.example:{server.port}/", 2, {}, b"{}"))
        client.close()
    assert (result.status, len(server.requests)) == (200, 1)


def test_a_name_server_that_hangs_ends_with_the_deadline() -> None:
    def slow(_host: str, _port: int) -> Sequence[str]:
        time.sleep(0.5)
        return ["127.0.0.1"]

    began = time.monotonic()
    assert refused("http://cms.example/", HttpClient(resolver=slow), 0.1).code == "dns-timeout"
    assert time.monotonic() - began < 0.3


@pytest.mark.parametrize(
    ("_case", "error"), [("unknown", socket.gaierror(-2, "unknown")), ("label", UnicodeError())]
)
def test_a_name_that_is_not_known(_case: str, error: Exception) -> None:
    def unknown(_host: str, _port: int) -> Sequence[str]:
        raise error

    assert refused("http://cms.example/", HttpClient(resolver=unknown)).code == "dns-failed"


def test_a_name_without_address() -> None:
    assert refused("http://cms.example/", HttpClient(resolver=Resolver([]))).code == "dns-failed"

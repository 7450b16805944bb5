from __future__ import annotations

import ssl
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from once_delivery.common.http import HttpClient, HttpRequest, NoAnswerError, NotSentError
from tests.fakes.certificates import Authority
from tests.fakes.scripted_server import answered, hangs_up, serving, silent

HOST = "cms.example"


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


def here(_host: str, _port: int) -> Sequence[str]:
    return ["127.0.0.1"]


def client(tls: ssl.SSLContext | None) -> HttpClient:
    return HttpClient(allow_inside=True, resolver=here, tls=tls)


def ask(client: HttpClient, port: int, deadline_s: float = 2.0) -> int:
    try:
        return client.send(HttpRequest("POST", f"https://{HOST}:{port}/", deadline_s, {}, b"{}")).status
    finally:
        client.close()


def test_the_certificate_is_checked_against_the_name_though_an_address_is_dialled(
    authority: Authority,
) -> None:
    with serving(answered({}), tls=authority.server_context(HOST)) as server:
        assert ask(client(authority.client_context()), server.port) == 200
    assert server.requests[0].headers["host"] == f"{HOST}:{server.port}"


def test_connections_are_kept(authority: Authority) -> None:
    keeping = client(authority.client_context())
    with serving(answered({}), tls=authority.server_context(HOST)) as server:
        for _ in range(3):
            keeping.send(HttpRequest("GET", f"https://{HOST}:{server.port}/", 2))
        keeping.close()
    assert (len(server.requests), server.connections) == (3, 1)


def test_a_certificate_for_another_name(authority: Authority) -> None:
    with (
        serving(answered({}), tls=authority.server_context("other.example")) as server,
        pytest.raises(NotSentError) as caught,
    ):
        ask(client(authority.client_context()), server.port)
    assert caught.value.code == "tls-failed"
    assert server.requests == []


def test_a_certificate_that_nobody_vouches_for(authority: Authority) -> None:
    with (
        serving(answered({}), tls=authority.server_context(HOST)) as server,
        pytest.raises(NotSentError) as caught,
    ):
        ask(client(None), server.port)
    assert caught.value.code == "tls-failed"
    assert server.requests == []


def test_a_server_without_tls(authority: Authority) -> None:
    with (
        serving(hangs_up(b"HTTP/1.1 400 Bad Request\r\n\r\n"), reads=False) as server,
        pytest.raises(NotSentError) as caught,
    ):
        ask(client(authority.client_context()), server.port)
    assert caught.value.code == "tls-failed"


def test_a_handshake_that_hangs_ends_with_the_deadline(authority: Authority) -> None:
    with serving(silent(), reads=False) as server:
        began = time.monotonic()
        with pytest.raises(NotSentError) as caught:
            ask(client(authority.client_context()), server.port, 0.2)
        assert time.monotonic() - began < 0.5
    assert caught.value.code == "tls-timeout"


def test_an_answer_that_hangs_is_unknown(authority: Authority) -> None:
    with (
        serving(lambda _, __: time.sleep(0.4), tls=authority.server_context(HOST)) as server,
        pytest.raises(NoAnswerError) as caught,
    ):
        ask(client(authority.client_context()), server.port, 0.2)
    assert caught.value.code == "deadline"
    assert len(server.requests) == 1

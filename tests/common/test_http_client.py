from __future__ import annotations

import os
import socket
import threading
import time

import pytest

from once_delivery.common.http import HttpClient, HttpRequest, NoAnswerError, NotSentError
from tests.common.outbound import post
from tests.fakes.scripted_server import (
    Answer,
    answered,
    echoing,
    hangs_up,
    resets,
    serving,
    silent,
    trickles,
)

OK = answered({"ok": True})


def test_one_request_is_sent_and_its_answer_read(client: HttpClient) -> None:
    with serving(answered({"id": 1}, 201, x_extra="1")) as server:
        result = client.send(post(f"{server.url}/drafts?a=%20b", b'{"t":1}'))
    (received,) = server.requests
    assert (result.status, result.body, result.cut, result.headers["x-extra"]) == (201, b'{"id": 1}', "", "1")
    assert (received.method, received.target, received.body) == ("POST", "/drafts?a=%20b", b'{"t":1}')
    assert received.headers["host"] == f"127.0.0.1:{server.port}"
    assert received.headers["user-agent"].startswith("once-delivery/")


def test_connections_are_kept(client: HttpClient) -> None:
    with serving(OK) as server:
        for _ in range(5):
            client.send(post(server.url))
    assert (len(server.requests), server.connections) == (5, 1)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(client: HttpClient, status: int) -> None:
    with serving(answered("", status, location="http://169.254.169.254/latest/meta-data/")) as server:
        assert client.send(post(server.url)).status == status
    assert len(server.requests) == 1


def test_a_connection_that_the_server_closed_meanwhile_is_not_written_to(client: HttpClient) -> None:
    with serving(hangs_up(OK), OK) as server:
        client.send(post(server.url))
        time.sleep(0.1)
        assert client.send(post(server.url)).status == 200
    assert (len(server.requests), server.connections) == (2, 2)


def test_bytes_that_nobody_asked_for_are_not_taken_for_the_next_answer(client: HttpClient) -> None:
    with serving(OK + answered({"id": "another's"}), OK) as server:
        client.send(post(server.url))
        time.sleep(0.05)
        assert client.send(post(server.url)).body == b'{"ok": true}'


def test_an_answer_of_headers_alone_is_whole(client: HttpClient) -> None:
    """A store answers a PUT so; the connection may close behind it."""
    with serving(hangs_up(b'HTTP/1.1 200 OK\r\nETag: "x"\r\nContent-Length: 0\r\n\r\n')) as server:
        result = client.send(post(server.url))
    assert (result.status, result.headers["etag"], result.body, result.cut) == (200, '"x"', b"", "")


def test_an_old_idle_connection_is_left(client: HttpClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("once_delivery.common.http.pool.IDLE_S", 0.01)
    with serving(OK) as server:
        client.send(post(server.url))
        time.sleep(0.05)
        client.send(post(server.url))
    assert server.connections == 2


@pytest.mark.parametrize(
    ("_case", "answer", "code"),
    [
        ("reset", resets(), "reset"),
        ("closed", hangs_up(), "closed"),
        ("cut status line", hangs_up(b"HTTP/1.1 20"), "bad-response"),
        ("cut headers", hangs_up(b'HTTP/1.1 200 OK\r\nETag: "x"\r\n'), "closed"),
        ("cut header", hangs_up(b'HTTP/1.1 200 OK\r\nETag: "x'), "closed"),
        ("another protocol", hangs_up(b"220 mail.example.org ESMTP\r\n"), "bad-response"),
        ("101", hangs_up(b"HTTP/1.1 101 Switching Protocols\r\n\r\n"), "bad-response"),
        ("header flood", hangs_up(b"HTTP/1.1 200 OK\r\n" + b"X: 1\r\n" * 200 + b"\r\n"), "bad-response"),
        ("header without end", hangs_up(b"HTTP/1.1 200 OK\r\nX: " + b"a" * 70_000), "bad-response"),
    ],
)
def test_no_readable_answer_is_unknown_and_nothing_is_sent_again(
    client: HttpClient, _case: str, answer: Answer, code: str
) -> None:
    with serving(answer) as server, pytest.raises(NoAnswerError) as caught:
        client.send(post(server.url))
    assert caught.value.code == code
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("_case", "answer"),
    [
        ("silence", silent()),
        ("slow status line", trickles(b"", b"H")),
        ("slow headers", trickles(b"HTTP/1.1 200 OK\r\n", b"X: 1\r\n", every=0.02)),
        ("100 for ever", trickles(b"", b"HTTP/1.1 100 Continue\r\n\r\n", every=0.001, times=100_000)),
    ],
)
def test_the_deadline_ends_a_request_without_answer(client: HttpClient, _case: str, answer: Answer) -> None:
    with serving(answer) as server:
        began = time.monotonic()
        with pytest.raises(NoAnswerError) as caught:
            client.send(post(server.url, deadline_s=0.3))
        assert time.monotonic() - began < 0.6
    assert caught.value.code == "deadline"


def test_the_deadline_ends_writing_to_a_server_that_does_not_read(client: HttpClient) -> None:
    with (
        serving(lambda _, __: time.sleep(0.6), reads=False) as server,
        pytest.raises(NoAnswerError) as caught,
    ):
        client.send(post(server.url, b"x" * 50_000_000, deadline_s=0.3))
    assert (caught.value.code, caught.value.detail) == ("deadline", "while writing")


def test_nobody_listens(client: HttpClient) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    with pytest.raises(NotSentError) as caught:
        client.send(post(f"http://127.0.0.1:{port}"))
    assert caught.value.code == "connect-refused"


def test_a_connection_that_nobody_accepts_ends_with_the_deadline(client: HttpClient) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        fillers = [socket.socket() for _ in range(3)]
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(full.getsockname())
        with pytest.raises(NotSentError) as caught:
            client.send(post(f"http://127.0.0.1:{full.getsockname()[1]}", deadline_s=0.2))
        for filler in fillers:
            filler.close()
    assert caught.value.code == "connect-timeout"


def test_a_deadline_that_is_over_sends_nothing(client: HttpClient) -> None:
    with serving(OK) as server, pytest.raises(NotSentError) as caught:
        client.send(post(server.url, deadline_s=0))
    assert caught.value.code == "deadline-over"
    assert server.connections == 0


def test_the_steps_stand_where_a_process_may_die(client: HttpClient, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, int]] = []
    with serving(OK) as server:

        def step(name: str, request: HttpRequest) -> None:
            time.sleep(0.05)
            seen.append((name, len(server.requests)))
            assert request.method == "POST"

        monkeypatch.setattr(HttpClient, "step", staticmethod(step))
        client.send(post(server.url))
    assert seen == [("connected", 0), ("written", 1), ("answering", 1)]


def test_the_environment_is_not_heard(client: HttpClient, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with serving(OK) as server:
        assert client.send(post(server.url)).status == 200
    assert "authorization" not in server.requests[0].headers


def test_cookies_are_not_kept(client: HttpClient) -> None:
    with serving(answered({}, set_cookie="a=b")) as server:
        client.send(post(server.url))
        client.send(post(server.url))
    assert "cookie" not in server.requests[1].headers


def test_sixteen_threads_get_their_own_answers(client: HttpClient) -> None:
    wrong: list[str] = []

    def work(name: str) -> None:
        for number in range(40):
            result = client.send(post(f"{server.url}/{name}/{number}"))
            if result.body != f"/{name}/{number}".encode():
                wrong.append(f"{name}/{number}: {result.body!r}")

    with echoing() as server:
        threads = [threading.Thread(target=work, args=(str(name),)) for name in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []
    assert len(server.requests) == 640
    assert server.connections <= 16


def test_a_forked_child_uses_no_connection_of_its_parent(
    client: HttpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(OK) as server:
        client.send(post(server.url))
        monkeypatch.setattr(os, "getpid", lambda: -1)  # as the child would see it
        client.send(post(server.url))
    assert server.connections == 2


def test_a_server_that_answers_before_it_was_asked_is_not_asked(
    client: HttpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HttpClient, "step", staticmethod(lambda _, __: time.sleep(0.1)))
    with (
        serving(trickles(OK, b""), reads=False) as server,
        pytest.raises(NotSentError) as caught,
    ):
        client.send(post(server.url))
    assert caught.value.code == "reset-before-write"


def test_a_connection_that_breaks_before_the_first_byte_is_not_sent(
    client: HttpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HttpClient, "step", staticmethod(lambda _, __: time.sleep(0.15)))
    with serving(resets(), reads=False) as server, pytest.raises(NotSentError) as caught:
        client.send(post(server.url))
    assert caught.value.code == "reset-before-write"

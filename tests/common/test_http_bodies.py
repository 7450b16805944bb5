from __future__ import annotations

import gzip
import socket
import time
import zlib

import pytest

from once_delivery.common.http import HttpClient
from tests.common.outbound import post
from tests.fakes.scripted_server import (
    Answer,
    Received,
    answered,
    hangs_up,
    resets,
    serving,
    trickles,
)

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
SIZED = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"


@pytest.mark.parametrize(
    ("_case", "answer", "cut", "begins"),
    [
        ("slow", trickles(SIZED, b"a"), "deadline", b"a"),
        ("slow chunks", trickles(CHUNKED, b"1\r\na\r\n"), "deadline", b"a"),
        ("slow until close", trickles(b"HTTP/1.1 200 OK\r\n\r\n", b"a"), "deadline", b"a"),
        (
            "endless",
            trickles(CHUNKED, b"2000\r\n" + b"a" * 0x2000 + b"\r\n", every=0),
            "body-too-large",
            b"a",
        ),
        (
            "said to be large",
            hangs_up(b"HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n"),
            "body-too-large",
            b"",
        ),
        ("short", hangs_up(SIZED + b'{"id":'), "truncated", b'{"id":'),
        ("chunk missing", hangs_up(CHUNKED + b'6\r\n{"id":\r\n'), "truncated", b'{"id":'),
        ("chunk without size", hangs_up(CHUNKED + b"no size\r\n"), "truncated", b""),
        ("reset", resets(SIZED + b'{"id":'), "truncated", b'{"id":'),
    ],
)
def test_a_cut_body_says_why_and_keeps_the_status(
    client: HttpClient, _case: str, answer: Answer, cut: str, begins: bytes
) -> None:
    with serving(answer) as server:
        result = client.send(post(server.url, deadline_s=0.3))
    assert (result.status, result.cut) == (200, cut)
    assert result.body[: len(begins)] == begins


BARE = zlib.compressobj(wbits=-15)


@pytest.mark.parametrize(
    ("_case", "encoding", "body", "expected"),
    [
        ("gzip", "gzip", gzip.compress(b"hello", mtime=0), (b"hello", "")),
        (
            "two members",
            "GZIP",
            gzip.compress(b"hel", mtime=0) + gzip.compress(b"lo", mtime=0),
            (b"hello", ""),
        ),
        ("deflate", "deflate", zlib.compress(b"hello"), (b"hello", "")),
        ("bare deflate", "deflate", BARE.compress(b"hello") + BARE.flush(), (b"hello", "")),
        ("identity", "identity", b"hello", (b"hello", "")),
        ("cut", "gzip", gzip.compress(b"hello" * 100, mtime=0)[:-12], (b"", "truncated")),
        ("not gzip", "gzip", b"hello", (b"", "bad-encoding")),
        ("unknown", "br", b"hello", (b"", "bad-encoding")),
        (
            "twice",
            "gzip, gzip",
            gzip.compress(gzip.compress(b"hello", mtime=0), mtime=0),
            (b"", "bad-encoding"),
        ),
        ("bomb", "gzip", gzip.compress(b" " * 50_000_000, 1, mtime=0), (b"", "body-too-large")),
        ("bomb in members", "gzip", gzip.compress(b" " * 90_000, mtime=0) * 2, (b"", "body-too-large")),
    ],
)
def test_packed_bodies(
    client: HttpClient, _case: str, encoding: str, body: bytes, expected: tuple[bytes, str]
) -> None:
    with serving(answered(body, content_encoding=encoding)) as server:
        result = client.send(post(server.url))
    assert (result.body[: len(expected[0])], result.cut) == expected


def test_an_early_answer_to_a_body_that_is_too_large_is_read(client: HttpClient) -> None:
    def refuse(connection: socket.socket, _: Received) -> None:
        connection.recv(1000)
        connection.sendall(answered({"error": "too large"}, 413, connection="close"))
        connection.shutdown(socket.SHUT_WR)
        time.sleep(0.3)

    with serving(refuse, reads=False) as server:
        result = client.send(post(server.url, b"x" * 50_000_000, deadline_s=2))
    assert (result.status, result.sent_whole) == (413, False)

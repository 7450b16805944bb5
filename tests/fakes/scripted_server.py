"""A server on a raw loopback socket that says exactly what a test tells it, byte by byte."""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Answer = Callable[[socket.socket, "Received"], None]


class HangUp(Exception):  # noqa: N818 -- not an error: the script ends the connection
    """The connection is closed after this."""


@dataclass(frozen=True)
class Received:
    """One request as it came in."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


NOTHING = Received("", "", {}, b"")


@dataclass
class ScriptedServer:
    """Gives one answer a request, in order; the last one for all that follow."""

    answers: list[Answer]
    reads: bool = True
    tls: ssl.SSLContext | None = None
    requests: list[Received] = field(default_factory=list)
    connections: int = 0

    def __post_init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http{'s' if self.tls else ''}://127.0.0.1:{self.port}"
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def close(self) -> None:
        self._over.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)

    def wait(self, seconds: float) -> None:
        """Wait, but not beyond the end of the test."""
        self._over.wait(seconds)

    def _accept(self) -> None:
        while not self._over.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(connection)
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            if self.tls is not None:
                connection = self.tls.wrap_socket(connection, server_side=True)
            if not self.reads:
                self._next()(connection, NOTHING)
                return
            with connection.makefile("rb") as file:
                while (received := _read(file)) is not None:
                    self.requests.append(received)
                    self._next()(connection, received)
        except (OSError, HangUp):
            pass
        finally:
            connection.close()

    def _next(self) -> Answer:
        with self._lock:
            return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def _read(file: Any) -> Received | None:
    first = file.readline().decode("latin-1").split()
    if len(first) != 3:
        return None
    headers: dict[str, str] = {}
    while line := file.readline().strip():
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.lower()] = value.strip()
    return Received(first[0], first[1], headers, file.read(int(headers.get("content-length", "0"))))


@contextlib.contextmanager
def serving(
    *answers: Answer | bytes, reads: bool = True, tls: ssl.SSLContext | None = None
) -> Iterator[ScriptedServer]:
    """A server for the block; bytes are sent as they are and the connection stays open."""
    server = ScriptedServer([sends(one) if isinstance(one, bytes) else one for one in answers], reads, tls)
    try:
        yield server
    finally:
        server.close()


def echoing() -> contextlib.AbstractContextManager[ScriptedServer]:
    """A server whose every answer is the path that was asked for."""
    return serving(lambda connection, received: connection.sendall(answered(received.target.encode())))


def sends(data: bytes) -> Answer:
    return lambda connection, _: connection.sendall(data)


def hangs_up(data: bytes = b"") -> Answer:
    """Sends ``data`` and closes."""

    def answer(connection: socket.socket, _: Received) -> None:
        connection.sendall(data)
        raise HangUp

    return answer


def resets(data: bytes = b"") -> Answer:
    """Sends ``data`` and breaks the connection."""

    def answer(connection: socket.socket, _: Received) -> None:
        connection.sendall(data)
        time.sleep(0.05)  # what was sent must arrive before the reset wipes it
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raise HangUp

    return answer


def silent(seconds: float = 5.0) -> Answer:
    """Says nothing until the peer goes."""

    def answer(connection: socket.socket, _: Received) -> None:
        connection.settimeout(seconds)
        with contextlib.suppress(TimeoutError):
            while connection.recv(65536):
                pass
        raise HangUp

    return answer


def trickles(head: bytes, piece: bytes, *, every: float = 0.05, times: int = 200) -> Answer:
    """Sends ``head``, then ``piece`` again and again."""

    def answer(connection: socket.socket, _: Received) -> None:
        connection.sendall(head)
        for _time in range(times):
            connection.sendall(piece)
            time.sleep(every)
        raise HangUp

    return answer


def answered(
    document: Any,
    status: int = 200,
    *,
    content_type: str = "application/json",
    headers: Mapping[str, str] | None = None,
    **more: str,
) -> bytes:
    """A whole answer; ``retry_after="3"`` is the header Retry-After. Bytes and text are taken as they are."""
    text = document if isinstance(document, bytes | str) else json.dumps(document)
    body = text.encode() if isinstance(text, str) else text
    lines = [f"HTTP/1.1 {status} X", f"Content-Type: {content_type}", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in {**more, **(headers or {})}.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body

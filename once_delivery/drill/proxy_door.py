"""The side of a losing proxy that the caller sees."""

from __future__ import annotations

import contextlib
import socket
import struct
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

from once_delivery.drill.passing import Loss, Passed, Reply

_WITHOUT_A_BYTE = frozenset({Loss.CUT, Loss.RESET, Loss.HANG})
_MADE_ANEW = frozenset({"connection", "keep-alive", "transfer-encoding", "content-length"})


class Passer(Protocol):
    """Who forwards."""

    def pass_on(self, method: str, path: str, headers: list[tuple[str, str]], body: bytes) -> Passed:
        """Forward one request."""

    def answered(self, passed: Passed) -> None:
        """The caller is given the answer."""

    def stopping(self) -> bool:
        """Whether callers that hang must be let go."""


class Door(ThreadingHTTPServer):
    """Listens on a free port of this machine."""

    daemon_threads = True

    def __init__(self, passer: Passer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.passer = passer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Door

    def log_message(self, *_: Any) -> None:
        """The record of calls is enough."""

    def handle_one_request(self) -> None:
        with contextlib.suppress(OSError):  # the caller has gone
            super().handle_one_request()
            return
        self.close_connection = True

    def _pass(self) -> None:
        passer = self.server.passer
        passed = passer.pass_on(self.command, self.path, self.headers.items(), self._body())
        if passed.reply is None or passed.loss in _WITHOUT_A_BYTE:
            self._lose(passed.loss)
            return
        if passed.loss is None:
            passer.answered(passed)  # before the write: whoever has the answer may ask for the record at once
        self._answer(passed.reply, half=passed.loss == Loss.HALF)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _pass  # noqa: N815

    def _body(self) -> bytes:
        if "chunked" not in self.headers.get("Transfer-Encoding", "").lower():
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return b"".join(parts)

    def _lose(self, loss: Loss | None) -> None:
        self.close_connection = True
        if loss == Loss.HANG:
            self._wait_for_caller_to_go()
        if loss == Loss.RESET:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def _wait_for_caller_to_go(self) -> None:
        self.connection.settimeout(0.05)
        while not self.server.passer.stopping():
            with contextlib.suppress(TimeoutError):
                if not self.connection.recv(1):
                    return

    def _answer(self, reply: Reply, *, half: bool) -> None:
        self.send_response_only(reply.status)
        length = str(len(reply.body))
        for name, value in reply.headers:
            if name.lower() not in _MADE_ANEW:
                self.send_header(name, value)
            elif name.lower() == "content-length" and self.command == "HEAD":
                length = value
        self.send_header("Content-Length", length)
        if half and not reply.body:
            self._leave_within_the_headers()
            return
        self.end_headers()
        self.wfile.write(reply.body[: len(reply.body) // 2] if half else reply.body)
        if half:
            self.close_connection = True

    def _leave_within_the_headers(self) -> None:
        """Where the headers are the whole answer, half an answer is half of them."""
        self.flush_headers()
        self.close_connection = True

"""Somebody's endpoint: a real HTTP server that keeps what it got and answers as it is told."""

from __future__ import annotations

import http.server
import threading
from dataclasses import dataclass, field
from typing import Self


@dataclass(frozen=True)
class Got:
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """``statuses``: one an answer, in order; then 204. 0: the connection is closed without an answer."""

    statuses: list[int] = field(default_factory=list)
    got: list[Got] = field(default_factory=list)

    def __enter__(self) -> Self:
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.got.append(Got(self.path, headers, body))
                status = receiver.statuses.pop(0) if receiver.statuses else 204
                if status == 0:
                    self.close_connection = True
                    return
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Quiet."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/hook"

"""What goes out: an answer as a value, and the exchange that sends it, cuts it or drops it."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from once_delivery.sandbox.errors import ApiError

JSON = "application/json; charset=utf-8"
HTML = "text/html; charset=utf-8"
_NO_BODY = {204, 304}
_REASONS = {status.value: status.phrase for status in HTTPStatus}


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, body and headers of one answer."""

    status: int
    body: bytes = b""
    content_type: str = JSON
    headers: tuple[tuple[str, str], ...] = ()

    def head(self, *, length: int | None = None, close: bool = False) -> bytes:
        """The head as bytes; ``length`` overrides the Content-Length and -1 leaves it out."""
        lines = [f"HTTP/1.1 {self.status} {_REASONS.get(self.status, 'Unknown')}", "Server: once-sandbox"]
        if self.body or length is not None:
            lines.append(f"Content-Type: {self.content_type}")
        if length != -1 and self.status not in _NO_BODY:
            lines.append(f"Content-Length: {len(self.body) if length is None else length}")
        lines += [f"{name}: {value}" for name, value in self.headers]
        lines.append("Cache-Control: no-store")
        if close:
            lines.append("Connection: close")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


def dump(document: Any) -> bytes:
    """Compact JSON in UTF-8. Raises ValueError for what JSON cannot say."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def json_answer(document: Any, *, status: int = 200, headers: Iterable[tuple[str, str]] = ()) -> Answer:
    """An answer with a JSON body."""
    return Answer(status, dump(document), JSON, tuple(headers))


def error_answer(error: ApiError) -> Answer:
    """The answer that tells an ApiError."""
    return json_answer(error.body(), status=error.status, headers=error.headers)


class Exchange:
    """One request's way back to its caller."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, method: str, keep: bool
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._head_only = method == "HEAD"
        self.keep = keep

    @property
    def gone(self) -> bool:
        """Whether the caller has hung up (one that closed its sending side counts as gone)."""
        return self._reader.at_eof() or self._reader.exception() is not None or self._writer.is_closing()

    async def send(self, answer: Answer) -> int | None:
        """Send it whole. Returns the status, or None when nobody seemed to be there to read it."""
        was_gone = self.gone
        data = answer.head(close=not self.keep)
        # sent even then: a caller may have closed its sending side alone
        sent = await self.send_bytes(data if self._head_only else data + answer.body)
        return answer.status if sent and not was_gone else None

    async def send_bytes(self, data: bytes) -> bool:
        """Send raw bytes; False when the connection is broken."""
        try:
            self._writer.write(data)
            await self._writer.drain()
        except (ConnectionError, RuntimeError):
            self.keep = False
            return False
        return not self._writer.is_closing()

    def hang_up(self) -> None:
        """Close after what was sent (FIN)."""
        self.keep = False
        self._writer.close()

    def reset(self) -> None:
        """Break the connection with a RST, and drop what was not sent."""
        self.keep = False
        connection: socket.socket | None = self._writer.get_extra_info("socket")
        if connection is not None and not self._writer.is_closing():
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()

    async def until_gone(self) -> None:
        """Wait until the caller hangs up, reading and forgetting what it still says."""
        self.keep = False
        try:
            while await self._reader.read(65_536):
                pass
        except ConnectionError:
            return

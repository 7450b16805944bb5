"""The side of the proxy that the vendor's workflow sees: one connection, one request after the other."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
from collections.abc import AsyncIterator, Mapping

import h11

from once_delivery.vendor_drill.proxy.heads import Head, Headers, RefusedError, check_raw, parsed
from once_delivery.vendor_drill.proxy.limits import Limits

_END = b"\r\n\r\n"
_LINGER_S = 1.0


class Caller:
    """One connection. ``http`` is new for each request: what came too early is kept in ``_early``."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limits: Limits) -> None:
        self._reader = reader
        self._writer = writer
        self._limits = limits
        self._early = bytearray()
        self._served = 0
        self.http = h11.Connection(h11.SERVER)

    async def head(self) -> Head | None:
        """The next request's; None when the caller has gone. Raises RefusedError."""
        raw = await self._raw_head()
        if raw is None:
            return None
        self._served += 1
        self.http = h11.Connection(h11.SERVER, max_incomplete_event_size=self._limits.head_bytes)
        check_raw(raw, self._limits)
        try:
            self.http.receive_data(raw)
            event = self.http.next_event()
        except h11.RemoteProtocolError as error:
            raise RefusedError(error.error_status_hint, "bad-request") from None
        if not isinstance(event, h11.Request):
            raise RefusedError(400, "bad-request")
        return parsed(event)

    async def _raw_head(self) -> bytes | None:
        try:
            async with asyncio.timeout(self._limits.idle_s if self._served else self._limits.head_s):
                if not self._early:
                    self._early += await self._reader.read(self._limits.chunk)
            async with asyncio.timeout(self._limits.head_s):  # one byte a second opens no door
                while _END not in self._early:
                    if len(self._early) > self._limits.head_bytes:
                        raise RefusedError(431, "head-too-large")
                    piece = await self._reader.read(self._limits.chunk)
                    if not piece:
                        return None
                    self._early += piece
        except TimeoutError:
            if self._early:
                raise RefusedError(408, "head-too-slow") from None
            return None
        raw, _, rest = bytes(self._early).partition(_END)
        if len(raw) > self._limits.head_bytes:
            raise RefusedError(431, "head-too-large")
        self._early = bytearray(rest)
        return raw + _END

    async def body(self) -> AsyncIterator[bytes]:
        """The request's body, a piece at a time; raises RefusedError when it is cut, too slow or too large."""
        size = 0
        while True:
            event = await self._event()
            if isinstance(event, h11.EndOfMessage):
                self._early[:0] = self.http.trailing_data[0]
                return
            if isinstance(event, h11.Data):
                size += len(event.data)
                if size > self._limits.body_bytes:
                    raise RefusedError(413, "body-too-large")
                yield bytes(event.data)

    async def _event(self) -> object:
        try:
            while (event := self.http.next_event()) is h11.NEED_DATA:
                if self.http.they_are_waiting_for_100_continue:
                    self.send(h11.InformationalResponse(status_code=100, headers=[]))
                self.http.receive_data(await self._piece())
        except h11.RemoteProtocolError as error:
            raise RefusedError(error.error_status_hint, "bad-body") from None
        return event

    async def _piece(self) -> bytes:
        if self._early:
            piece, self._early = bytes(self._early), bytearray()
            return piece
        try:
            async with asyncio.timeout(self._limits.piece_s):
                return await self._reader.read(self._limits.chunk)
        except TimeoutError:
            raise RefusedError(408, "body-too-slow") from None

    @property
    def gone(self) -> bool:
        """Whether the caller has closed its side."""
        return self._reader.at_eof() or self._writer.is_closing()

    def send(self, event: h11.Event) -> None:
        """Bytes for the caller, not yet on their way (``flush``)."""
        data = self.http.send(event)
        if data:
            self._writer.write(data)

    async def flush(self) -> None:
        """Raises OSError when the caller has gone."""
        async with asyncio.timeout(self._limits.answer_s):
            await self._writer.drain()

    async def say(self, status: int, document: Mapping[str, object], headers: Headers | None = None) -> None:
        """An answer of the proxy's own, after which the connection ends."""
        body = json.dumps(document).encode()
        head: Headers = [
            (b"Content-Type", b"application/json"),
            (b"Content-Length", str(len(body)).encode()),
            (b"Connection", b"close"),
            *(headers or []),
        ]
        if self.http.our_state not in {h11.IDLE, h11.SEND_RESPONSE}:
            return
        self.send(h11.Response(status_code=status, headers=head))
        with contextlib.suppress(h11.LocalProtocolError):  # HEAD is answered without a body
            self.send(h11.Data(data=body))
            self.send(h11.EndOfMessage())
        await self.flush()

    async def linger(self) -> None:
        """Hear the caller out for a moment: what is unread when a connection ends takes the answer away from it."""
        with contextlib.suppress(OSError, TimeoutError):
            self._writer.write_eof()
            async with asyncio.timeout(_LINGER_S):
                while await self._reader.read(self._limits.chunk):
                    pass

    def can_go_on(self) -> bool:
        """Whether this connection serves another request."""
        return self.http.our_state is h11.DONE and self.http.their_state is h11.DONE and not self.gone

    def reset(self) -> None:
        """The connection ends with a TCP reset, as when a machine has lost its power; one that has ended stays so."""
        sock = self._writer.get_extra_info("socket")
        if sock is not None:
            with contextlib.suppress(OSError):  # the caller was quicker
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()

    async def close(self) -> None:
        self._writer.close()
        try:
            async with asyncio.timeout(1):
                await self._writer.wait_closed()
        except (OSError, TimeoutError):
            self._writer.transport.abort()

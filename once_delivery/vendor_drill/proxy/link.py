"""The side of the proxy that the target sees: one connection, kept for as long as the caller keeps its own."""

from __future__ import annotations

import asyncio
import functools
import ssl
import time
from collections.abc import AsyncIterator

import certifi
import h11

from once_delivery.common.http.addresses import allowed_addresses, system_resolver
from once_delivery.common.http.deadline import Deadline
from once_delivery.common.http.errors import NotSentError
from once_delivery.vendor_drill.proxy.addresses import Upstream
from once_delivery.vendor_drill.proxy.limits import Limits


class UnreachableError(Exception):
    """No connection was opened; not a byte has left."""


class Link:
    """One connection to one target. ``http`` is new for each request."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, upstream: Upstream, limits: Limits
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._limits = limits
        self.upstream = upstream
        self.http = h11.Connection(h11.CLIENT)
        self._used_at = time.monotonic()

    def begin(self) -> None:
        self.http = h11.Connection(h11.CLIENT, max_incomplete_event_size=self._limits.head_bytes * 2)

    async def send(self, event: h11.Event) -> None:
        """Raises OSError when the target has gone."""
        data = self.http.send(event)
        if data:
            self._writer.write(data)
            async with asyncio.timeout(self._limits.answer_s):
                await self._writer.drain()

    async def events(self) -> AsyncIterator[h11.Event]:
        """The answer, a piece at a time, to its end; raises OSError or h11.RemoteProtocolError when it is cut."""
        while True:
            event = self.http.next_event()
            if event is h11.NEED_DATA:
                async with asyncio.timeout(self._limits.answer_s):
                    self.http.receive_data(await self._reader.read(self._limits.chunk))
                continue
            if not isinstance(event, h11.InformationalResponse | h11.Response | h11.Data | h11.EndOfMessage):
                raise ConnectionResetError  # it closed without an answer
            yield event
            if isinstance(event, h11.EndOfMessage):
                self._used_at = time.monotonic()
                return

    def good_for(self, upstream: Upstream) -> bool:
        """Whether another request to ``upstream`` may go this way: one that met a closing door would look like a lost answer."""
        if time.monotonic() - self._used_at > self._limits.link_idle_s:
            return False
        done = self.http.our_state is h11.DONE and self.http.their_state is h11.DONE
        quiet = not self._reader.at_eof() and not self._writer.is_closing() and not self.http.trailing_data[0]
        return self.upstream == upstream and done and quiet

    def close(self) -> None:
        self._writer.close()


async def open_link(upstream: Upstream, *, allow_inside: bool, limits: Limits) -> Link:
    """Dial the target, and nothing else; raises UnreachableError."""
    find = functools.partial(
        allowed_addresses,
        upstream.host,
        upstream.port,
        deadline=Deadline(limits.connect_s),
        allow_inside=allow_inside,
        resolver=system_resolver,
    )
    try:
        addresses = await asyncio.get_running_loop().run_in_executor(None, find)
    except NotSentError as error:
        raise UnreachableError(error.code) from error
    tls = _tls() if upstream.secure else None
    for address in addresses:
        try:
            async with asyncio.timeout(limits.connect_s):
                reader, writer = await asyncio.open_connection(
                    str(address),
                    upstream.port,
                    ssl=tls,
                    server_hostname=upstream.host if tls else None,
                    limit=limits.chunk,
                )
        except (OSError, TimeoutError):
            continue
        return Link(reader, writer, upstream, limits)
    raise UnreachableError("connect-failed")


@functools.lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context

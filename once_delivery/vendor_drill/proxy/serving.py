"""The proxy's process: listens, serves each connection, ends what is over."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import h11

from once_delivery.vendor_drill.proxy.caller import Caller
from once_delivery.vendor_drill.proxy.doors import Doors
from once_delivery.vendor_drill.proxy.exchange import Exchange
from once_delivery.vendor_drill.proxy.heads import Head, RefusedError
from once_delivery.vendor_drill.proxy.journal import Journal
from once_delivery.vendor_drill.proxy.limits import LIMITS, Limits
from once_delivery.vendor_drill.proxy.link import Link

logger = logging.getLogger(__name__)

_CUT = (OSError, TimeoutError, h11.ProtocolError)  # one side has gone, or the other


@dataclass(slots=True)
class Proxy:
    """``public_url``: how vendors reach it; its path stands before the secret in redirects."""

    public_url: str = ""
    limits: Limits = LIMITS
    journal: Journal = field(default_factory=Journal)
    _open: int = 0

    def __post_init__(self) -> None:
        self.doors = Doors(self.journal, self.limits)
        public = urlsplit(self.public_url)
        self.prefix = public.path.rstrip("/")
        self.origin = f"{public.scheme}://{public.netloc}" if public.netloc else ""
        self.is_fronted = public.hostname not in {None, "127.0.0.1", "localhost", "::1"}

    doors: Doors = field(init=False)
    prefix: str = field(init=False)
    origin: str = field(init=False)
    is_fronted: bool = field(init=False)

    def origin_for(self, head: Head) -> str:
        """Scheme and host by which the caller came: what it says itself, unless something else stands before the proxy."""
        return f"http://{head.host}" if head.host and not self.is_fronted else self.origin

    async def start(self, host: str, port: int) -> asyncio.Server:
        """It listens when this returns; the caller closes it."""
        return await asyncio.start_server(self._connected, host, port, limit=self.limits.chunk)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._open >= self.limits.connections:
            writer.transport.abort()
            return
        self._open += 1
        connection = _Connection(self, Caller(reader, writer, self.limits))
        try:
            await connection.serve()
        except asyncio.CancelledError:
            writer.transport.abort()
        except Exception:  # one connection must not end the others
            logger.exception("a connection of the drill proxy failed")
            writer.transport.abort()
        finally:
            self._open -= 1


class _Connection:
    def __init__(self, proxy: Proxy, caller: Caller) -> None:
        self._proxy = proxy
        self._caller = caller
        self._link: Link | None = None

    async def serve(self) -> None:
        """One request after the other, until one side ends it."""
        try:
            while (head := await self._caller.head()) is not None:
                await self._request(head)
                if not self._caller.can_go_on():
                    break
        except RefusedError as refused:
            await self._refuse(refused)
        except _CUT:
            self._caller.reset()
        finally:
            if self._link is not None:
                self._link.close()
            with contextlib.suppress(OSError):
                await self._caller.close()

    async def _request(self, head: Head) -> None:
        door = await self._proxy.doors.door(head.secret)
        exchange = Exchange(
            self._caller, head, door, self._link, journal=self._proxy.journal, limits=self._proxy.limits
        )
        try:
            async with asyncio.timeout_at(door.until):
                await exchange.run(f"{self._proxy.prefix}/{head.secret}", self._proxy.origin_for(head))
        finally:
            self._link = exchange.link

    async def _refuse(self, refused: RefusedError) -> None:
        message = {"error": {"code": refused.code, "message": "refused by the drill's proxy"}}
        with contextlib.suppress(OSError, TimeoutError, h11.ProtocolError):
            await self._caller.say(refused.status, message, [(b"X-Once-Drill", refused.code.encode())])
            await self._caller.linger()

"""One request, from its head to the end of its answer: recognised, struck by a fault or not, forwarded, recorded."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import time
from collections.abc import AsyncIterator
from dataclasses import replace

import h11

from once_delivery.common import redact
from once_delivery.vendor_drill.errors import NotOpenError
from once_delivery.vendor_drill.models.drill import Fault
from once_delivery.vendor_drill.proxy.answering import OK, Answering
from once_delivery.vendor_drill.proxy.caller import Caller
from once_delivery.vendor_drill.proxy.doors import Door
from once_delivery.vendor_drill.proxy.heads import Head, RefusedError, upstream_headers
from once_delivery.vendor_drill.proxy.journal import Journal
from once_delivery.vendor_drill.proxy.leading import Leading
from once_delivery.vendor_drill.proxy.limits import Limits
from once_delivery.vendor_drill.proxy.link import Link, UnreachableError, open_link
from once_delivery.vendor_drill.recognising import value_in
from once_delivery.vendor_drill.services.record_answer import Ended
from once_delivery.vendor_drill.services.record_call import Recorded, Seen
from once_delivery.vendor_drill.showing import shown

_READS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_INJECTED = 500


class Exchange:
    """Created for one request of one caller; ``link`` may be what the caller's last request has left."""

    def __init__(
        self, caller: Caller, head: Head, door: Door, link: Link | None, *, journal: Journal, limits: Limits
    ) -> None:
        self._caller = caller
        self._head = head
        self._door = door
        self._journal = journal
        self._limits = limits
        self._hash = hashlib.sha256()
        self._size = 0
        self._begun = time.perf_counter()
        self._recorded: Recorded | None = None
        self._raced = ""
        self.link = link

    async def run(self, door_path: str, origin: str) -> None:
        """The answer was given, or lost on purpose; raises RefusedError, OSError or TimeoutError otherwise."""
        pieces = self._caller.body()
        first, whole = await self._first(pieces)
        if self._head.method not in _READS:
            self._recorded = await self._record(first, whole=whole)
            if not await self._struck(self._recorded):
                return
        answering = Answering(
            self._caller,
            self._head,
            Leading(self._door.upstream, door_path, origin),
            limits=self._limits,
            creates=self._recorded is not None and self._recorded.creates,
            keep=self._keep,
        )
        withheld = self._recorded is not None and self._recorded.fault == Fault.ANSWER_LOST
        try:
            link = await self._linked()
            await self._forward(link, first, pieces)
            await answering.pass_on(link, withheld=withheld)
        except UnreachableError:
            await self._keep(Ended(given=502, note="unreachable"))
            raise RefusedError(502, "target-unreachable") from None
        except BaseException:
            if not answering.kept:
                with contextlib.suppress(RefusedError):
                    await asyncio.shield(self._keep(answering.cut_short()))
            raise
        if withheld:
            self._caller.reset()

    async def _first(self, pieces: AsyncIterator[bytes]) -> tuple[bytes, bool]:
        """As much of the body as is read before anything is forwarded, and whether that is all of it."""
        first = bytearray()
        async with asyncio.timeout(self._limits.body_s):
            async for piece in pieces:
                self._count(piece)
                first += piece
                if len(first) >= self._limits.read_body:
                    return bytes(first), False
        return bytes(first), True

    def _count(self, piece: bytes) -> None:
        self._hash.update(piece)
        self._size += len(piece)

    async def _record(self, body: bytes, *, whole: bool) -> Recorded:
        terms = self._door.terms
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in self._head.headers]
        seen = Seen(
            self._head.method,
            self._path(),
            redact.storable(value_in(terms.recognise, terms.place, headers, body if whole else b"")),
            self._hash.hexdigest() if whole else "",
        )
        try:
            return await self._journal.call(terms, seen)
        except NotOpenError:
            raise RefusedError(410, "drill-over") from None

    def _path(self) -> str:
        return redact.text(self._head.rest or "/")[:1000]

    async def _struck(self, recorded: Recorded) -> bool:
        """Do what the fault is before the target sees the request; whether it is forwarded at all."""
        terms = self._door.terms
        if recorded.creates and self._door.is_second(recorded.item):
            self._raced = "raced"
        match recorded.fault:
            case Fault.ERROR_BEFORE:
                await self._keep(Ended(given=_INJECTED, note="not-forwarded"))
                await self._caller.say(_INJECTED, {"error": "internal server error"})
                return False
            case Fault.SLOW_COMMIT:
                await asyncio.sleep(terms.slow_s)
            case Fault.TWO_AT_ONCE:
                self._raced = "raced" if await self._door.wait_for_second(recorded.item) else "no-second"
            case _:
                return True
        if not await self._journal.is_open(terms.drill_id):
            await self._keep(Ended(note="closed-before"))
            raise RefusedError(410, "drill-over")
        return True

    async def _linked(self) -> Link:
        if self.link is None or not self.link.good_for(self._door.upstream):
            if self.link is not None:
                self.link.close()
                self.link = None
            self.link = await open_link(
                self._door.upstream, allow_inside=self._door.terms.allow_inside, limits=self._limits
            )
        return self.link

    async def _forward(self, link: Link, first: bytes, pieces: AsyncIterator[bytes]) -> None:
        upstream = self._door.upstream
        link.begin()
        await link.send(
            h11.Request(
                method=self._head.method,
                target=upstream.target_of(self._head.rest),
                headers=upstream_headers(self._head, upstream.named),
            )
        )
        if first:
            await link.send(h11.Data(data=first))
        async with asyncio.timeout(self._limits.body_s):
            async for piece in pieces:
                self._count(piece)
                await link.send(h11.Data(data=piece))
        await link.send(h11.EndOfMessage())

    async def _keep(self, ended: Ended, text: str = "") -> None:
        """Write down how it ended; the caller hears the end of the answer after this."""
        door, recorded = self._door, self._recorded
        full = replace(
            ended,
            shows="" if recorded is not None else self._shows(ended, text),
            note=" ".join(code for code in (self._raced, ended.note) if code),
            body_sha256=self._hash.hexdigest(),
            request_bytes=self._size,
            took_ms=(time.perf_counter() - self._begun) * 1000,
        )
        if recorded is not None:
            door.names[recorded.item].update(full.names)
            await self._journal.answer(recorded.call_id, full)
            return
        try:
            await self._journal.read(door.terms, Seen(self._head.method, self._path()), full)
        except NotOpenError:
            raise RefusedError(410, "drill-over") from None

    def _shows(self, ended: Ended, text: str) -> str:
        """A refusal shows nothing, whatever was asked for; what was cut short has not come to its end."""
        if ended.status not in OK or ended.note == "cut-short":
            return ""
        terms = self._door.terms
        return shown(terms.items, self._door.names, self._path(), text, terms.creates_at)

"""The target's answer on its way to the caller: streamed, its last piece after it was written down."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Awaitable, Callable

import h11

from once_delivery.vendor_drill.proxy.caller import Caller
from once_delivery.vendor_drill.proxy.heads import Head, Headers, caller_headers
from once_delivery.vendor_drill.proxy.leading import Leading
from once_delivery.vendor_drill.proxy.limits import Limits
from once_delivery.vendor_drill.proxy.link import Link
from once_delivery.vendor_drill.recognising import header, names_in
from once_delivery.vendor_drill.services.record_answer import Ended

_WITH_HEADER = 32 + zlib.MAX_WBITS  # gzip or zlib, whichever it is
_BARE = -zlib.MAX_WBITS  # what some servers call deflate
OK = range(200, 300)


class Answering:
    """``creates``: the answer names what was made. ``keep`` writes the end down, and sees the beginning of the answer. What is not kept yet when it is cut short is told by ``cut_short``."""

    def __init__(
        self,
        caller: Caller,
        head: Head,
        leading: Leading,
        *,
        limits: Limits,
        creates: bool,
        keep: Callable[[Ended, str], Awaitable[None]],
    ) -> None:
        self._caller = caller
        self._head = head
        self._leading = leading
        self._limits = limits
        self._creates = creates
        self._keep = keep
        self._kept = False
        self._status: int | None = None
        self._headers: Headers = []
        self._body = bytearray()
        self._size = 0

    async def pass_on(self, link: Link, *, withheld: bool) -> None:
        """To the end; ``withheld``: all of it is read and nothing of it given."""
        held: list[h11.Event] = []
        async for event in link.events():
            if isinstance(event, h11.InformationalResponse):
                if not withheld and event.status_code not in {100, 101} and self._head.version == b"1.1":
                    self._caller.send(event)
                continue
            self._note(event)
            if withheld:
                continue
            held.append(self._changed(event))
            if not isinstance(event, h11.EndOfMessage) and self._size > self._limits.held_answer:
                await self._give(held[:-1])  # all but the last piece, which waits until it is written down
                held = held[-1:]
        await self._end(withheld=withheld)
        if not withheld:
            await self._give(held)

    def cut_short(self) -> Ended:
        """What is known when it did not come to its end."""
        return Ended(status=self._status, names=self._names(), note="cut-short", answer_bytes=self._size)

    @property
    def kept(self) -> bool:
        return self._kept

    async def _end(self, *, withheld: bool) -> None:
        gone = self._caller.gone
        note = "answer-lost" if withheld else ("caller-gone" if gone else "")
        await self._keep(
            Ended(
                status=self._status,
                given=None if withheld or gone else self._status,
                names=self._names(),
                note=note,
                answer_bytes=self._size,
            ),
            self._text(),
        )
        self._kept = True

    async def _give(self, held: list[h11.Event]) -> None:
        for event in held:
            self._caller.send(event)
        await self._caller.flush()

    def _note(self, event: h11.Event) -> None:
        if isinstance(event, h11.Response):
            self._status = event.status_code
            self._headers = list(event.headers.raw_items())
        elif isinstance(event, h11.Data):
            self._size += len(event.data)
            self._body += event.data[: max(0, self._limits.read_answer - len(self._body))]

    def _changed(self, event: h11.Event) -> h11.Event:
        if not isinstance(event, h11.Response):
            return event
        headers = [(name, self._leading.led(name, value)) for name, value in caller_headers(self._headers)]
        return h11.Response(status_code=event.status_code, headers=headers, reason=event.reason)

    def _names(self) -> list[str]:
        if not self._creates or self._status not in OK:
            return []
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in self._headers]
        found = names_in(headers, self._plain())
        if not found and self._head.method == "PUT":  # the caller has chosen the name
            return names_in([("location", self._head.rest)], b"")
        return found

    def _text(self) -> str:
        return self._plain().decode("utf-8", errors="replace") if self._status in OK else ""

    def _plain(self) -> bytes:
        """The beginning of the body as its author wrote it, to be read only; what is given stays as it came."""
        coded = header(
            [(n.decode("latin-1"), v.decode("latin-1")) for n, v in self._headers], "content-encoding"
        )
        if coded.casefold() not in {"gzip", "deflate", "x-gzip"}:
            return bytes(self._body)
        for way in (_WITH_HEADER, _BARE):
            with contextlib.suppress(zlib.error):
                return zlib.decompressobj(way).decompress(bytes(self._body), self._limits.read_answer)
        return b""

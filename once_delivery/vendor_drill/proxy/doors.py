"""Which drills are open, and who waits for whom in them."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from dataclasses import dataclass, field

from once_delivery.vendor_drill.models.drill import VendorDrillStatus
from once_delivery.vendor_drill.proxy.addresses import Upstream
from once_delivery.vendor_drill.proxy.heads import RefusedError
from once_delivery.vendor_drill.proxy.journal import Journal
from once_delivery.vendor_drill.proxy.limits import Limits
from once_delivery.vendor_drill.services.open_door import Terms

_FRESH_S = 1.0  # a request with an effect is refused by the database itself when the drill has been closed
_MOST_KNOWN = 1000


@dataclass(slots=True)
class Door:
    """One open drill. ``until``: the loop's time at which it closes. ``calls``: how many have come."""

    terms: Terms
    upstream: Upstream
    until: float
    calls: int
    known_at: float = field(default_factory=time.monotonic)
    waiting: dict[str, asyncio.Event] = field(default_factory=dict)  # by item: the first of two at once
    names: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # by item: what it is called

    async def wait_for_second(self, item: str) -> bool:
        """Hold the first request for ``item`` until another one comes; whether one came in time."""
        event = self.waiting.setdefault(item, asyncio.Event())
        try:
            async with asyncio.timeout(self.terms.race_s):
                await event.wait()
        except TimeoutError:
            return False
        finally:
            self.waiting.pop(item, None)
        return True

    def is_second(self, item: str) -> bool:
        """Whether somebody was waiting for this request; that one is let go at this moment."""
        event = self.waiting.get(item)
        if event is None or event.is_set():
            return False
        event.set()
        return True


class Doors:
    """By secret, for as long as what is known of them is fresh."""

    def __init__(self, journal: Journal, limits: Limits) -> None:
        self._journal = journal
        self._limits = limits
        self._known: dict[str, Door] = {}

    async def door(self, secret: str) -> Door:
        """Raises RefusedError when there is none, it is not open, or it has had enough."""
        door = self._known.get(secret)
        if door is None:
            door = self._noted(secret, await self._journal.terms(secret))
        elif time.monotonic() - door.known_at > _FRESH_S:
            door.until = asyncio.get_running_loop().time() + await self._journal.left_s(door.terms.drill_id)
            door.known_at = time.monotonic()
        if asyncio.get_running_loop().time() >= door.until:
            raise RefusedError(410, "drill-over")
        door.calls += 1
        if door.calls > self._limits.calls:
            raise RefusedError(429, "too-many-calls")
        return door

    def _noted(self, secret: str, terms: Terms | None) -> Door:
        if terms is None:
            raise RefusedError(404, "not-found")
        if terms.status == VendorDrillStatus.ASKED:
            raise RefusedError(503, "drill-not-open-yet")
        if terms.left_s <= 0:
            raise RefusedError(410, "drill-over")
        try:
            upstream = Upstream.of(terms.base_url)
        except ValueError:
            raise RefusedError(502, "target-has-no-address") from None
        if secret in self._known:  # another request was quicker
            return self._known[secret]
        if len(self._known) >= _MOST_KNOWN:
            self._known.pop(next(iter(self._known)))
        door = Door(terms, upstream, asyncio.get_running_loop().time() + terms.left_s, terms.calls)
        for letter, names in terms.names.items():
            door.names[letter] |= names
        self._known[secret] = door
        return door

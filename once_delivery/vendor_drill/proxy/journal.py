"""The proxy's way to the database: the house's own services, in threads, so that the sockets never wait for each other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import DEFAULT_DB_ALIAS, DatabaseError, IntegrityError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from once_delivery.vendor_drill.proxy.heads import RefusedError
from once_delivery.vendor_drill.services.open_door import Terms, is_open, left_s, terms_of
from once_delivery.vendor_drill.services.record_answer import Ended, record_answer, record_read
from once_delivery.vendor_drill.services.record_call import (
    Recorded,
    Seen,
    lose_nothing_but_speed,
    record_call,
)

T = TypeVar("T")
THREADS = 4


class Journal:
    """What is asked and written; every method raises RefusedError (503) when the database does not answer."""

    def __init__(self) -> None:
        self._opened: list[BaseDatabaseWrapper] = []
        self._threads = ThreadPoolExecutor(THREADS, "journal", initializer=self._begin)

    def _begin(self) -> None:
        lose_nothing_but_speed()
        own = connections[DEFAULT_DB_ALIAS]
        own.inc_thread_sharing()  # closed from the thread that ends the proxy
        self._opened.append(own)

    async def terms(self, secret: str) -> Terms | None:
        return await self._ask(lambda: terms_of(secret=secret))

    async def left_s(self, drill_id: int) -> float:
        return await self._ask(lambda: left_s(drill_id=drill_id))

    async def is_open(self, drill_id: int) -> bool:
        return await self._ask(lambda: is_open(drill_id=drill_id))

    async def call(self, terms: Terms, seen: Seen) -> Recorded:
        """Committed when it returns; raises NotOpenError."""
        return await self._ask(lambda: record_call(terms=terms, seen=seen))

    async def answer(self, call_id: int, ended: Ended) -> None:
        await self._ask(lambda: record_answer(call_id=call_id, ended=ended))

    async def read(self, terms: Terms, seen: Seen, ended: Ended) -> None:
        """A request without an effect, when its answer is known; raises NotOpenError."""
        await self._ask(lambda: record_read(terms=terms, seen=seen, ended=ended))

    async def _ask(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, _once_more, work)

    def close(self) -> None:
        self._threads.shutdown(wait=True)
        for one in self._opened:
            one.close()


def _once_more(work: Callable[[], T]) -> T:
    """A connection that the server has closed meanwhile is opened anew by the next request."""
    try:
        return work()
    except IntegrityError:
        raise
    except DatabaseError:
        connection.close()
        raise RefusedError(503, "database") from None

"""The listening process: connections, signals, and the end."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable

from once_delivery.sandbox.answers import Exchange, error_answer
from once_delivery.sandbox.app import App
from once_delivery.sandbox.errors import ApiError
from once_delivery.sandbox.routes import serve
from once_delivery.sandbox.wire import MAX_HEAD, read_request

_BACKLOG = 1024
_LINGER_S = 2.0
_log = logging.getLogger(__name__)


class Server:
    """One sandbox on one address. A connection is one task; a lie is a task that waits."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._connections: set[asyncio.Task[None]] = set()
        self._stop = asyncio.Event()

    async def run(self, host: str, port: int, ready: Callable[[str], None]) -> None:
        """Serve until SIGTERM or SIGINT; ``ready`` gets the real base URL once it listens."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop.set)
        server = await asyncio.start_server(self._connect, host, port, limit=MAX_HEAD, backlog=_BACKLOG)
        name, number = server.sockets[0].getsockname()[:2]
        self._app.base_url = f"http://[{name}]:{number}" if ":" in name else f"http://{name}:{number}"
        self._app.jobs.start()
        ready(self._app.base_url)
        await self._stop.wait()
        server.close()
        # what hangs or waits is let go: a zombie that has not committed dies here, as on any crash
        for task in list(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._connections.add(task)
            task.add_done_callback(self._connections.discard)
        try:
            await self._converse(reader, writer)
        except (ConnectionError, asyncio.CancelledError):
            writer.transport.abort()
        except Exception:  # noqa: BLE001 -- one bad connection must not end the others
            _log.exception("a connection failed")
            writer.transport.abort()
        finally:
            writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        keep = True
        while keep:
            try:
                request = await read_request(reader, writer)
            except ApiError as error:
                exchange = Exchange(reader, writer, method="GET", keep=False)
                await exchange.send(error_answer(error))
                await self._linger(reader, writer)
                return
            if request is None:
                return
            exchange = Exchange(reader, writer, method=request.method, keep=request.keep_alive)
            await serve(self._app, request, exchange)
            keep = exchange.keep

    async def _linger(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Read on for a moment: closing with unread bytes would break the answer on its way."""
        writer.write_eof()
        try:
            async with asyncio.timeout(_LINGER_S):
                while await reader.read(MAX_HEAD):
                    pass
        except TimeoutError:
            return

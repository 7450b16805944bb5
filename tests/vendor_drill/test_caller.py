"""The caller's side of the proxy, on a real socket."""

from __future__ import annotations

import asyncio

from once_delivery.vendor_drill.proxy.caller import Caller
from once_delivery.vendor_drill.proxy.limits import LIMITS


def test_a_connection_that_has_ended_can_be_reset() -> None:
    """The proxy gives up a connection that its caller has left; by then the socket is closed."""

    async def both_ends() -> None:
        ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            caller = Caller(reader, writer, LIMITS)
            caller.reset()
            await asyncio.sleep(0)  # the loop closes the socket
            caller.reset()
            ended.set_result(None)

        server = await asyncio.start_server(connected, "127.0.0.1", 0)
        async with server:
            _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            await asyncio.wait_for(ended, 10)
            writer.close()

    asyncio.run(both_ends())

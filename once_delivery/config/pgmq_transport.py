"""kombu's PGMQ transport with a connection string that arrives whole.

The client library takes the string apart and puts it together again without quoting and without what it
does not know: a folder with a space, a password with one, ``sslmode`` would be lost. Here the pool of
connections is made from the string itself. A worker also looks more often whether it was told to end.
"""

from __future__ import annotations

from typing import Any

from kombu.transport import TRANSPORT_ALIASES, pgmq
from pgmq import PGMQueue
from psycopg_pool import ConnectionPool

LOOK_UP_SECONDS = 0.5


class Transport(pgmq.Transport):
    def _create_pgmq_client(self) -> PGMQueue:
        client: Any = self.client
        options: dict[str, Any] = client.transport_options
        conninfo = options["conn_string"]
        pool: ConnectionPool[Any] = ConnectionPool(
            conninfo, min_size=1, max_size=options["pool_size"], timeout=options["pool_timeout"], open=True
        )
        return PGMQueue(
            conn_string=conninfo, vt=options["visibility_timeout"], init_extension=False, pool=pool
        )

    # the published types of kombu contradict one another here
    def drain_events(self, connection: Any, timeout: float | None = None) -> None:  # type: ignore[override]
        waited = LOOK_UP_SECONDS if timeout is None else min(timeout, LOOK_UP_SECONDS)
        super().drain_events(connection, waited)  # type: ignore[no-untyped-call]

    def close_connection(self, connection: Any) -> None:
        pool = None if self._pgmq_client is None else self._pgmq_client.pool
        super().close_connection(connection)
        if pool is not None:  # the client closes only pools that it has made
            pool.close()


def install() -> None:
    """Addresses that begin with pgmq:// use this transport."""
    TRANSPORT_ALIASES["pgmq"] = f"{__name__}:Transport"

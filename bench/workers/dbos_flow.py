"""DBOS: one workflow with one step an item, called from several threads. Runs in an environment of its own.

python -m bench.workers.dbos_flow DATABASE_URL THREADS
"""

from __future__ import annotations

import logging
import sys

from dbos import DBOS, DBOSConfig  # type: ignore[import-not-found]

from bench.workers.protocol import serve
from bench.workers.threads import for_seconds

POOL_A_THREAD = 3  # its own background threads take connections too: with one a thread it is slower


@DBOS.step()  # type: ignore[untyped-decorator]
def create(number: int) -> str:
    """The request that would go out."""
    return f"noop-{number}"


@DBOS.workflow()  # type: ignore[untyped-decorator]
def deliver(number: int) -> str:
    """One durable item."""
    result: str = create(number)
    return result


def main() -> None:
    url, threads = sys.argv[1], int(sys.argv[2])
    config: DBOSConfig = {
        "name": "bench",
        "system_database_url": url,
        "sys_db_pool_size": POOL_A_THREAD * threads,
        "run_admin_server": False,
        "log_level": "WARNING",
    }
    DBOS(config=config)
    DBOS.launch()
    logging.getLogger("dbos").setLevel(logging.WARNING)
    try:
        serve(lambda seconds: for_seconds(seconds, threads=threads, once=deliver))
    finally:
        DBOS.destroy()


if __name__ == "__main__":
    main()

"""How fast the pages answer on a large ledger.

make bench-web                                about ten minutes the first time, five afterwards
python -m bench.web --actions 100000          a smaller ledger
python -m bench.web --only cases --calls 5    some of the pages, by the beginning of their names
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bench.place import BusyError, conninfo
from bench.web.place import admin, empty, folder, server, set_environment

if TYPE_CHECKING:
    from once_delivery.common.embedded_postgres import EmbeddedPostgres


def main(arguments: Sequence[str] | None = None) -> int:
    """The command. 0: every page is fast enough; 1: not all are; 2: it could not be measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--actions", type=int, default=1_000_000, metavar="N", help="how many there are")
    parser.add_argument("--calls", type=int, default=30, metavar="N", help="how often a page is opened")
    parser.add_argument("--only", default="", metavar="WORD", help="pages whose name begins so")
    parser.add_argument("--fresh", action="store_true", help="make the ledger anew")
    given = parser.parse_args(arguments)
    set_environment(folder(given.actions))
    begun = time.monotonic()
    try:
        with server(folder(given.actions)) as found:
            bad = _run(found, given)
    except BusyError:
        print("Another run measures the pages in this checkout.", file=sys.stderr)
        return 2
    print(f"\n{time.monotonic() - begun:.0f} seconds")
    return 1 if bad else 0


def _run(found: EmbeddedPostgres, given: argparse.Namespace) -> int:
    import django  # noqa: PLC0415 - the environment is set first

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415

    from bench import facts  # noqa: PLC0415
    from bench.web import report, seed  # noqa: PLC0415
    from bench.web.pages import pages  # noqa: PLC0415
    from bench.web.plans import READ_MS, large_tables, read_whole  # noqa: PLC0415
    from bench.web.visit import Visitors  # noqa: PLC0415

    call_command("collectstatic", verbosity=0, interactive=False)
    with admin(found) as connection:
        there = seed.is_seeded(connection, given.actions) and not given.fresh
    if not there:
        empty(found)
    call_command("migrate", verbosity=0)
    if not there:
        print(f"making {given.actions:,} actions", flush=True)
        with admin(found) as connection:
            seed.seed(connection, actions=given.actions, say=lambda line: print(f"  {line}", flush=True))
    for name, value in facts.machine_facts(conninfo(found), folder(given.actions)).items():
        print(f"{name}: {value}")
    print(f"\n{report.HEAD}", flush=True)
    visitors, large, seen, slow = Visitors(), large_tables(), [], []
    for page in pages():
        if not page.name.startswith(given.only):
            continue
        one = visitors.visit(page, calls=given.calls)
        whole = read_whole(one.queries, large)
        print(report.line(one, whole), flush=True)
        seen.append(one)
        if not one.fast or (whole and one.slowest.ms > READ_MS):
            slow.append(one)
    print(report.summary(seen))
    print(report.why(slow))
    print(f"\nload after: {facts.load()}")
    return len(slow)


if __name__ == "__main__":
    sys.exit(main())

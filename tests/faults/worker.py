"""The nursery: a process with the house already imported, which forks the workers of the harness.

Starting Python and Django takes a second of a core, a fork some milliseconds, so that fifty recoveries can be fifty
real processes. Each runs a real management command on the database that it is told, with a stop or without.
Orders come as JSON lines on standard input; who was born and who ended is said on standard output.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any

import django
from django.core.management import call_command
from django.db import connections

from once_delivery.common.die_with_parent import die_with_parent
from tests.faults import stops

_TICK_S = 0.02
_FAILED = 70


def main() -> None:
    """Serve orders until standard input ends."""
    die_with_parent(int(sys.argv[1]))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the harness ends it by closing its input
    django.setup()
    _preload()
    _say({"ready": os.getpid()})
    waiting = b""
    while True:
        if select.select([0], [], [], _TICK_S)[0]:
            part = os.read(0, 65_536)
            if not part:
                return
            *lines, waiting = (waiting + part).split(b"\n")
            for line in lines:
                _bear(json.loads(line))
        _report_the_dead()


def _preload() -> None:
    from once_delivery.ledger import tasks
    from once_delivery.targets import connecting, schema
    from once_delivery.targets.rest import connector, profiles
    from reconciliation import tasks as cases

    del tasks, connecting, connector, cases
    ready = profiles.ready_profile("sandbox", "lookup")
    schema.validate(ready.profile, "profile")


def _bear(order: dict[str, Any]) -> None:
    pid = os.fork()
    if pid == 0:
        _live(order)
    _say({"number": order["number"], "pid": pid})


def _report_the_dead() -> None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        _say({"ended": pid, "code": os.waitstatus_to_exitcode(status)})


def _live(order: dict[str, Any]) -> None:
    """The worker's whole life; never returns."""
    code = _FAILED
    try:
        die_with_parent(os.getppid())
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        _redirect(order["log"])
        connections.settings["default"]["NAME"] = order["database"]
        if order["database_host"]:
            connections.settings["default"]["HOST"] = order["database_host"]
        if order["stop"] is not None:
            stops.install(stops.Stop.from_json(order["stop"]))
        if order["barrier"] is not None:
            _wait_at(Path(order["barrier"]), order["number"])
        for module in order["without"]:
            _without(module)
        call_command(*order["command"])
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:  # noqa: BLE001 -- whatever it is, the log has it and the parent the code
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _without(what: str) -> None:
    """Take a protection away, so that the harness can be seen to notice."""
    from once_delivery.ledger import thread_timer
    from once_delivery.ledger.alarm import ALARM

    if what != "alarm":
        raise ValueError(what)
    ALARM._arm = lambda: None  # type: ignore[method-assign]
    thread_timer.AVAILABLE = False


def _wait_at(barrier: Path, number: int) -> None:
    connections["default"].ensure_connection()
    (barrier / f"ready-{number}").touch()
    while not (barrier / "go").exists():
        time.sleep(0.002)


def _redirect(log: str) -> None:
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)


def _say(what: dict[str, Any]) -> None:
    os.write(1, json.dumps(what).encode() + b"\n")


if __name__ == "__main__":
    main()

"""``python -m once_delivery.sandbox.generation SERVICE``: one simulated service until Ctrl-C."""

from __future__ import annotations

import argparse
import signal
import sys

from once_delivery.sandbox.generation.doors import DOORS
from once_delivery.sandbox.generation.server import Simulator
from once_delivery.sandbox.generation.world import World


def main() -> int:
    """Serve; the first line of the output is the address."""
    parser = argparse.ArgumentParser(prog="once_delivery.sandbox.generation", description=__doc__)
    parser.add_argument("service", choices=sorted(DOORS))
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--finish-s", type=float, default=5.0, help="how long a job takes")
    given = parser.parse_args()
    door = DOORS[given.service](World(finish_s=given.finish_s))
    simulator = Simulator(door, host=given.host, port=given.port).start()
    sys.stdout.write(f"{simulator.url}\n")
    sys.stdout.flush()
    try:
        signal.sigwait({signal.SIGINT, signal.SIGTERM})
    finally:
        simulator.close()
    return 0


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    sys.exit(main())

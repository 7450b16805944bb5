"""How the benchmark talks to its processes: "go SECONDS" in, "COUNT SECONDS" out. Standard library only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

READY = "ready"
GO = "go"


def serve(work: Callable[[float], int]) -> None:
    """Say that this process is ready, then work for as long as each line says, until the input ends."""
    print(READY, flush=True)
    for line in sys.stdin:
        verb, _, seconds = line.strip().partition(" ")
        if verb != GO:
            raise SystemExit(f"unknown word {verb!r}")
        begun = time.monotonic()
        count = work(float(seconds))
        print(f"{count} {time.monotonic() - begun:.6f}", flush=True)

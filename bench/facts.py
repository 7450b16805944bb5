"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path

import psycopg

_SETTINGS = (
    "fsync",
    "synchronous_commit",
    "full_page_writes",
    "wal_sync_method",
    "shared_buffers",
    "max_wal_size",
)
_FLUSHES = 200


def machine_facts(conninfo: str, folder: Path) -> dict[str, str]:
    """Name and value, in the order in which they are shown."""
    with psycopg.connect(conninfo) as connection:
        version = connection.execute("SHOW server_version").fetchone()
        values = [connection.execute(f"SHOW {name}".encode()).fetchone() for name in _SETTINGS]
    shown = [f"{name} {row[0]}" for name, row in zip(_SETTINGS, values, strict=True) if row]
    return {
        "processor": f"{_processor()}, {len(os.sched_getaffinity(0))} cores",
        "load before": load(),
        "PostgreSQL": f"{version[0] if version else '?'}: {', '.join(shown)}",
        "one flush to disk": f"{_flush_ms(folder):.2f} ms",
        "Python": platform.python_version(),
    }


def load() -> str:
    """How busy the machine is: beside others' work every rate is lower, and not all of them equally."""
    return " ".join(f"{one:.1f}" for one in os.getloadavg()) + " (1, 5, 15 minutes)"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def _flush_ms(folder: Path) -> float:
    """The median of writing 8 kB and flushing it, on the disk that the database is on."""
    path = folder / "flush"
    took = []
    with path.open("wb", buffering=0) as file:
        for _ in range(_FLUSHES):
            file.seek(0)
            begun = time.perf_counter()
            file.write(bytes(8192))
            os.fdatasync(file.fileno())
            took.append(time.perf_counter() - begun)
    path.unlink()
    return sorted(took)[len(took) // 2] * 1000

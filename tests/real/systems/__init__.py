"""One module a server: how it is installed (once, into ``.cache``), started and looked into."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CACHE = ROOT / ".cache"


class ServerFailedError(Exception):
    """A real server could not be had: that fails its tests, it does not skip them."""

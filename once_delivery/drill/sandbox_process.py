"""A sandbox CMS for a drill: the one that is running, or one that is started for it."""

from __future__ import annotations

import contextlib
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from once_delivery.drill.errors import DrillBrokenError
from once_delivery.sandbox.client import SandboxAdmin

START_S = 15.0


@contextlib.contextmanager
def sandbox(*, url: str = "", token: str = "") -> Iterator[SandboxAdmin]:
    """The sandbox at ``url``; without one, a process of its own in a temporary folder, ended afterwards."""
    if url:
        yield SandboxAdmin(url, token)
        return
    token = secrets.token_urlsafe(24)
    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder) / "ready"
        process = subprocess.Popen(  # noqa: S603 - our own module
            [
                sys.executable, "-m", "once_delivery.sandbox", "--data", str(Path(folder) / "data"),
                "--port", "0", "--ready-file", str(ready),
            ],
            env=os.environ | {"ONCE_SANDBOX_ADMIN_TOKEN": token},
            cwd=Path(__file__).parents[2],
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            yield SandboxAdmin(_address(ready, process), token)
        finally:
            process.terminate()
            process.wait(timeout=10)


def _address(ready: Path, process: subprocess.Popen[bytes]) -> str:
    until = time.monotonic() + START_S
    while time.monotonic() < until and process.poll() is None:
        if ready.exists() and (said := ready.read_text(encoding="utf-8").strip()):
            return said
        time.sleep(0.02)
    raise DrillBrokenError(why="the sandbox did not start")

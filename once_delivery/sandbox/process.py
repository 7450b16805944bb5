"""Starts a sandbox as a process of its own: for tests, the drill and the demo."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

from once_delivery.sandbox.client import SandboxAdmin

_START_S = 15.0
_STOP_S = 5.0


class SandboxProcess:
    """One sandbox on a data folder. It keeps its port over a restart, so that callers find it again."""

    def __init__(
        self, data: Path, *, port: int = 0, quota_mb: int = 0, admin_token: str | None = None
    ) -> None:
        self.data = data
        self.port = port
        self.admin_token = admin_token or secrets.token_urlsafe(24)
        self.base_url = ""
        self._quota_mb = quota_mb
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def admin(self) -> SandboxAdmin:
        """A client for the administrator's API."""
        return SandboxAdmin(self.base_url, self.admin_token)

    @property
    def pid(self) -> int | None:
        """The process, if one was started."""
        return self._process.pid if self._process else None

    def start(self) -> Self:
        """Start it and wait until it listens."""
        self.data.mkdir(parents=True, exist_ok=True)
        ready = self.data / "ready"
        ready.unlink(missing_ok=True)
        command = [
            sys.executable,
            "-m",
            "once_delivery.sandbox",
            "--data",
            str(self.data),
            "--port",
            str(self.port),
        ]
        command += ["--ready-file", str(ready), "--quota-mb", str(self._quota_mb)]
        environment = {**os.environ, "ONCE_SANDBOX_ADMIN_TOKEN": self.admin_token}
        with (self.data / "stderr.log").open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 -- our own module with paths of ours
                command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log
            )
        deadline = time.monotonic() + _START_S
        while not ready.exists():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(
                    f"the sandbox did not start: {(self.data / 'stderr.log').read_text()[-2000:]}"
                )
            time.sleep(0.02)
        self.base_url = ready.read_text().strip()
        self.port = int(self.base_url.rsplit(":", 1)[1])
        return self

    def stop(self) -> int:
        """Ask it to end (SIGTERM); its exit code."""
        return self._end(signal.SIGTERM)

    def kill(self) -> int:
        """End it at once (SIGKILL), as a crash would."""
        return self._end(signal.SIGKILL)

    def _end(self, number: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(number)
        try:
            return process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait(_STOP_S)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

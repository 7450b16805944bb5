"""A real server as a process that ends with the tests, whatever happens to them."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import psutil

from tests.real.systems import ROOT, ServerFailedError

STOP_S = 10.0


@contextlib.contextmanager
def listening_socket() -> Iterator[socket.socket]:
    """A socket on a free port, to be handed to the server: nobody can take the port in between."""
    with socket.create_server(("127.0.0.1", 0), backlog=256) as listener:
        listener.set_inheritable(True)
        yield listener


def free_port() -> int:
    """A port that was free a moment ago, for a server that takes no socket."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    return port


class ServerProcess:
    """One server. Its output goes to ``log``."""

    def __init__(
        self, command: Sequence[str], *, log: Path, env: Mapping[str, str], pass_fds: Sequence[int] = ()
    ) -> None:
        self._log = log
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "once_delivery.common.die_with_parent", str(os.getpid()), *command],
                cwd=ROOT,
                env={**os.environ, **env},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                pass_fds=pass_fds,
            )

    def wait_until_ready(self, url: str, *, seconds: float = 60.0) -> None:
        """Until anything but a server error is answered at ``url``."""
        until = time.monotonic() + seconds
        while not _answers(url):
            if self._process.poll() is not None or time.monotonic() > until:
                said = self._log.read_text(errors="replace")[-3000:]
                self.stop()
                raise ServerFailedError(f"no answer at {url}: {said}")
            time.sleep(0.1)

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """It takes connections (the kernel does) and does nothing."""
        everyone = [
            psutil.Process(self._process.pid),
            *psutil.Process(self._process.pid).children(recursive=True),
        ]
        for one in everyone:
            one.suspend()
        try:
            yield
        finally:
            for one in everyone:
                one.resume()

    def kill(self) -> None:
        """End it and what it has started at once, as a crash does."""
        here = psutil.Process(self._process.pid)
        for one in [here, *here.children(recursive=True)]:
            one.kill()
        self._process.wait(STOP_S)

    def stop(self) -> None:
        """End it and what it has started."""
        if self._process.poll() is not None:
            return
        children = psutil.Process(self._process.pid).children(recursive=True)
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(STOP_S)
        for child in children:
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()


def _answers(url: str) -> bool:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=5)
    try:
        connection.request("GET", parts.path or "/")
        return connection.getresponse().status < http.HTTPStatus.INTERNAL_SERVER_ERROR
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()

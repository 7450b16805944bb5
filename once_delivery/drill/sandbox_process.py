"""A sandbox CMS for a drill: the one that is running, or one that is started for it."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from once_delivery.drill.errors import DrillBrokenError
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.sandbox.process import SandboxProcess
from once_delivery.targets.inside import own_place


@contextlib.contextmanager
def sandbox(*, url: str = "", token: str = "") -> Iterator[SandboxAdmin]:
    """The sandbox at ``url``; without one, a process of its own in a temporary folder, ended afterwards."""
    if url:
        with own_place(url):  # whoever gives the command says so
            yield SandboxAdmin(url, token)
        return
    with tempfile.TemporaryDirectory() as folder:
        process = SandboxProcess(Path(folder) / "data")
        try:
            process.start()
        except RuntimeError as error:
            raise DrillBrokenError("no-sandbox", said=str(error)[-500:]) from error
        try:
            with own_place(process.base_url):
                yield process.admin
        finally:
            process.stop()

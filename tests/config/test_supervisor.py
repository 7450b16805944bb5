"""What the supervisor makes of a process that cannot be kept running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.house.sources import ROOT
from tests.workers import wait_for

SCRIPT = """
import sys
from once_delivery.config.house.supervisor import Supervisor
supervisor = Supervisor()
supervisor.add_process("web", "sleep 120")
supervisor.add_process(sys.argv[1], "false")
supervisor.loop()
sys.exit(supervisor.returncode)
"""


@pytest.mark.parametrize(("name", "goes_on"), [("wagtail", True), ("worker1", False)])
def test_one_that_always_ends(name: str, tmp_path: Path, *, goes_on: bool) -> None:
    log = tmp_path / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, name],
            stdout=out,
            stderr=out,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        )
    try:
        if goes_on:
            wait_for(lambda: "for good; everything else goes on" in log.read_text(), 40)
            time.sleep(0.5)
            assert process.poll() is None
            assert "web stopped" not in log.read_text()
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
        else:
            assert process.wait(40) == 1
        assert "web stopped" in log.read_text()
    finally:
        process.kill()

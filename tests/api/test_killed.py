"""The program that holds a permit is killed before it reports: nobody creates again before somebody has looked."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Action, Attempt
from tests.api.caller import a_caller, an_ask
from tests.fakes.clock import DatabaseClock
from tests.ledger.given import a_real_target

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import os, signal, sys
sys.modules["django"] = None
from client import Once, identity
once = Once(os.environ["ONCE"], os.environ["TOKEN"])
kettle = identity("kettle", "de-DE", "product-page", 1)
with once.permit(kettle, target="cms", content={"title": "kettle", "body": "<p>…</p>"},
                 brief={"text": "brief of kettle"}) as permit:
    assert permit.go
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.django_db(transaction=True)
def test_killed_with_a_permit(
    live_server: LiveServer, project: Project, clock: DatabaseClock, tmp_path: Path
) -> None:
    a_real_target(project, kind="permit")
    caller = a_caller(project)
    shutil.copy(ROOT / "once_delivery" / "client.py", tmp_path)
    env = {
        "PATH": os.environ["PATH"], "NO_PROXY": "*",
        "ONCE": f"{live_server.url}/api/v1", "TOKEN": caller.secret,
    }  # fmt: skip
    killed = subprocess.run([sys.executable, "-c", PROGRAM], env=env, cwd=tmp_path, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert Action.objects.get().state == "sending"
    assert caller.post("/permits", an_ask()).json()["answer"] == "wait"
    clock.forward(63)
    look = caller.post("/permits", an_ask()).json()
    assert (look["answer"], look["action"]["state"]) == ("look_up", "uncertain")
    assert Attempt.objects.count() == 1

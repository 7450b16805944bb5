"""The drill of a vendor on two real workflows: a Celery script with retries must fail, the same with a permit must pass."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from pytest_django.live_server_helper import LiveServer

from once_delivery.accounts.models import Membership, Role
from once_delivery.accounts.services.api_tokens import make_token
from once_delivery.sandbox.process import SandboxProcess
from once_delivery.targets.profile import Guard
from once_delivery.targets.registry import default_profiles
from once_delivery.targets.services.save_target import save_target
from tests.builders import a_project, a_user
from tests.real.vendor_workflow.cms import app_on
from tests.vendor_drill.given import TITLES, Vendor, a_vendor, agreed, proxy_running
from tests.workers import wait_for

OURS = ("ONCE_", "CELERY_", "DJANGO_", "DATABASE_", "SECRET_KEY")
FAULTS = ("answer_lost", "error_before")  # of B and of C
TIMES = {"deadline_s": 1.5, "settle_s": 1.0, "look_up_every_s": 0.3, "patience_s": 60.0}


@pytest.fixture
def vendor(tmp_path: Path, transactional_db: None) -> Iterator[Vendor]:
    with SandboxProcess(tmp_path / "sandbox") as sandbox, proxy_running() as proxy:
        yield a_vendor(a_project(), sandbox.admin, proxy.port, agreed(faults=FAULTS))


@contextlib.contextmanager
def worker(script: str, folder: Path, vendor: Vendor, **environment: str) -> Iterator[None]:
    """A real Celery worker of the vendor's, in a process of its own."""
    log = folder / f"{script}.log"
    settings = {
        "WORKFLOW_CMS": f"http://127.0.0.1:{vendor.port}/{vendor.secret}",
        "WORKFLOW_TOKEN": vendor.token,
        "WORKFLOW_FOLDER": str(folder),
        **environment,
    }
    command = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        f"tests.real.vendor_workflow.{script}",
        "worker",
        "-P",
        "solo",
    ]
    command += ["--without-mingle", "--without-gossip", "--without-heartbeat", "-l", "INFO"]
    with log.open("wb") as output:
        process = subprocess.Popen(command, env={**_theirs(), **settings}, stdout=output, stderr=output)
        try:
            yield
        finally:
            process.kill()
            process.wait()


def _theirs() -> dict[str, str]:
    """A vendor's machine: nothing of the house's settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith(OURS)}


def work(script: str, folder: Path, vendor: Vendor, **environment: str) -> dict[str, tuple[bool, str]]:
    """Three tasks, as many tries as the script makes; then the verdicts."""
    with mock.patch.dict(os.environ, _theirs(), clear=True):
        sender: Any = app_on(folder)
        for title in TITLES[:3]:
            sender.send_task("publish", [title])
    with worker(script, folder, vendor, **environment):
        wait_for(lambda: all((folder / f"{title}.done").exists() for title in TITLES[:3]), 60)
    return vendor.finish()


def test_a_celery_script_with_retries_makes_two(tmp_path: Path, vendor: Vendor) -> None:
    verdicts = work("plain", tmp_path, vendor)
    assert vendor.held() == ["Chair", "Kettle", "Lamp", "Lamp"]
    assert verdicts == {
        "A": (True, "reused"),
        "B": (False, "duplicate"),
        "C": (True, "created-once"),
        "": (True, "rest-untouched"),
    }


def test_the_same_with_a_permit_makes_one_of_each(
    tmp_path: Path, vendor: Vendor, live_server: LiveServer
) -> None:
    project, admin = vendor.drill.project, a_user("admin")
    Membership.objects.create(project=project, user=admin, role=Role.ADMIN)
    _, token = make_token(project=project, name="celery", role=Role.OPS_OWNER, days=1, user=admin)
    save_target(
        project=project,
        name="cms",
        kind="permit",
        base_url="",
        declaration={},
        profile={**default_profiles("permit")[Guard.LOOKUP].numbers, **TIMES},
        is_test=True,
    )
    verdicts = work(
        "permitted",
        tmp_path,
        vendor,
        WORKFLOW_ONCE=f"{live_server.url}/api/v1",
        WORKFLOW_ONCE_TOKEN=token,
        WORKFLOW_TARGET="cms",
    )
    assert vendor.held() == ["Chair", "Kettle", "Lamp"]
    assert verdicts == {
        "A": (True, "reused"),
        "B": (True, "found-again"),
        "C": (True, "created-once"),
        "": (True, "rest-untouched"),
    }

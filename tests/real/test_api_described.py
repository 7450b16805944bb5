"""Schemathesis calls every address with what the description allows and with what it does not: no 500, only known answers."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from once_delivery.accounts.models import Role
from once_delivery.api import door
from once_delivery.api.rate import Rate
from tests.api.caller import Caller, a_caller, an_ask, an_item
from tests.builders import a_project, a_target
from tests.ledger.given import REAL_LIFE

ROOT = Path(__file__).resolve().parents[2]
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
    "negative_data_rejection,unsupported_method,ignored_auth"
)
EXAMPLES = 20  # of each call, beside those at every border of the description


@pytest.fixture
def caller(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Caller:
    """Something is there to be found: a delivery and a permit."""
    monkeypatch.setattr(door, "RATE", Rate(1e9))
    project = a_project()
    a_target(project, name="cms", kind="noop", **REAL_LIFE)
    a_target(project, name="shop", kind="permit", **REAL_LIFE)
    caller = a_caller(project, Role.ADMIN)
    caller.post("/deliveries", {"items": [an_item()]})
    caller.post("/permits", an_ask("lamp", target="shop"))
    return caller


@pytest.mark.real
def test_nothing_that_is_sent_makes_it_fall(
    live_server: LiveServer, caller: Caller, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    command: list[str | Path] = [
        Path(sys.executable).with_name("schemathesis"), "run", ROOT / "docs" / "openapi.json",
        "--url", live_server.url, "--header", f"Authorization: Bearer {caller.secret}",
        "--checks", CHECKS, "--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES),
        "--request-timeout", "60", "--generation-database", "none", "--no-color",
        "--report-json-path", tmp_path / "report.json",
    ]  # fmt: skip
    env = {"PATH": os.environ["PATH"], "NO_PROXY": "*", "HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))

"""What was committed is there after a crash; what was not is not."""

from __future__ import annotations

import http.client
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from once_delivery.sandbox.process import SandboxProcess
from tests.sandbox.caller import Caller


@pytest.fixture
def own(tmp_path: Path) -> Iterator[SandboxProcess]:
    """A sandbox of this test alone."""
    process = SandboxProcess(tmp_path / "data")
    with process:
        yield process


def _caller(process: SandboxProcess, **settings: Any) -> Caller:
    token = process.admin.put_space("s", **settings)["token"]
    return Caller(process.admin, "s", token, process.port)


def test_survives_sigkill(own: SandboxProcess) -> None:
    caller = _caller(own, unique_marker=True, idempotency=True, job_seconds=0.5)
    made = caller.create(key="k-1")
    caller.fault("refuse", match={"marker": "m-9"})
    job = caller.ask("POST", "/jobs", {"marker": "j"}).json["id"]
    caller.fault("answer_lost", match={"marker": "m-2"})
    with caller.connect() as connection:
        connection.sendall(caller.head_of_create("m-2"))
        assert connection.recv(10) == b""
    own.kill()
    own.start()
    assert {one["marker"] for one in caller.held()} == {"m-1", "m-2", "j"}
    assert caller.create(key="k-1").body == made.body
    assert caller.create("m-2", key="k-2").status == 409
    assert caller.create("m-9").status == 422
    created = [(call["marker"], call["created"]) for call in caller.creates()]
    assert created == [
        ("m-1", True),
        ("j", True),
        ("m-2", True),
        ("m-1", False),
        ("m-2", False),
        ("m-9", False),
    ]
    assert caller.create("m-3").json["id"] not in {made.json["id"], job}


def test_every_answer_given_before_a_crash_was_true(own: SandboxProcess) -> None:
    caller = _caller(own)
    answered: list[str] = []

    def create(thread: int) -> None:
        try:
            for number in range(10_000):
                answered.append(caller.create(f"m-{thread}-{number}").json["id"])  # noqa: PERF401 -- each counts once answered
        except (OSError, http.client.HTTPException):
            return

    threads = [threading.Thread(target=create, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    own.kill()
    for thread in threads:
        thread.join()
    own.start()
    held = [one["id"] for one in caller.held()]
    assert len(answered) > 20
    assert set(answered) <= set(held)
    assert sorted(held) == sorted(call["committed_id"] or "" for call in caller.creates() if call["created"])


def test_waiting_job_is_finished_after_a_crash(own: SandboxProcess) -> None:
    caller = _caller(own, job_seconds=0.3)
    job = caller.ask("POST", "/jobs", {"marker": "j"}).json["id"]
    own.kill()
    own.start()
    time.sleep(0.5)
    assert caller.ask("GET", f"/jobs/{job}").json["state"] == "succeeded"


def test_zombie_dies_with_its_process(own: SandboxProcess) -> None:
    caller = _caller(own)
    caller.fault("zombie", seconds=30)
    with pytest.raises(TimeoutError):
        caller.create(timeout=0.1)
    own.kill()
    own.start()
    assert caller.held() == []
    (call,) = caller.creates()
    assert (call["fault"], call["ended_at"], call["status"]) == ("zombie", None, None)


def test_stops_at_once_though_callers_hang(
    own: SandboxProcess, eventually: Callable[[Callable[[], bool]], None]
) -> None:
    caller = _caller(own)
    caller.fault("hang", variant="committed")
    with caller.connect() as connection:
        connection.sendall(caller.head_of_create())
        eventually(lambda: len(caller.held()) == 1)
        assert own.stop() == 0
    own.start()
    assert len(caller.held()) == 1


def test_one_process_a_folder(own: SandboxProcess) -> None:
    command = [sys.executable, "-m", "once_delivery.sandbox", "--data", str(own.data)]
    second = subprocess.run(command, capture_output=True, timeout=10, check=False)
    assert second.returncode == 2
    assert b"another sandbox" in second.stderr


def test_a_full_disk_is_told_and_loses_nothing(tmp_path: Path) -> None:
    with SandboxProcess(tmp_path / "small", quota_mb=1) as process:
        caller = _caller(process)
        kept = 0
        for number in range(60):
            reply = caller.create(f"m-{number}", body="x" * 50_000)
            if reply.status != 201:
                break
            kept += 1
        assert (reply.status, reply.json["error"]["code"]) == (507, "disk_full")
        assert 5 < len(caller.held()) == kept
        assert caller.ask("GET", "/drafts?marker=m-0").status in (200, 507)
    log = (tmp_path / "small" / "stderr.log").read_text()
    assert "Traceback" not in log


def test_admin_token_is_made_and_kept_private(tmp_path: Path) -> None:
    from once_delivery.sandbox.__main__ import admin_token

    token = admin_token(tmp_path)
    assert len(token) >= 32
    assert admin_token(tmp_path) == token
    assert (tmp_path / "admin-token").stat().st_mode & 0o777 == 0o600

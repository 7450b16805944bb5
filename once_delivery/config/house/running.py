"""Which house runs on this state folder: at most one, found by its lock and described in a file."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from once_delivery.common.operator_error import OperatorError
from once_delivery.common.postgres_place import make_state_dir

STOP_SECONDS = 60


@dataclass(frozen=True, slots=True)
class House:
    """One running house."""

    pid: int
    web_url: str
    sandbox_url: str
    drill_proxy_url: str = ""


@contextlib.contextmanager
def only_one(state_dir: Path) -> Iterator[None]:
    """No other house runs on ``state_dir`` inside the block."""
    with (make_state_dir(state_dir) / "house.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            house = running_house(state_dir)
            where = house.web_url if house else "?"
            raise OperatorError(
                "already-running",
                en=f"The house already runs at {where}; make stop ends it.",
                zh=f"系统已在 {where} 运行；make stop 可停止。",
            ) from None
        yield


@contextlib.contextmanager
def described(state_dir: Path, house: House) -> Iterator[None]:
    """Other commands find ``house`` inside the block."""
    file = state_dir / "house.json"
    draft = state_dir / "house.json.new"
    draft.write_text(json.dumps(asdict(house)), encoding="utf-8")
    draft.replace(file)
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def running_house(state_dir: Path) -> House | None:
    """The house that runs on ``state_dir``; what a killed one has left behind does not count."""
    with contextlib.suppress(FileNotFoundError):
        house = House(**json.loads((state_dir / "house.json").read_text(encoding="utf-8")))
        return house if _locked(state_dir) else None
    return None


def is_served_here(state_dir: Path) -> bool:
    """Whether a house runs on this state folder; to be asked at every start, whatever stands in its file."""
    with contextlib.suppress(OSError):
        return (state_dir / "house.json").exists() and _locked(state_dir)
    return False


def stop_house(state_dir: Path) -> bool:
    """No house runs afterwards; False when none did."""
    house = running_house(state_dir)
    if house is None:
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(house.pid, signal.SIGTERM)
    until = time.monotonic() + STOP_SECONDS
    while _locked(state_dir):
        if time.monotonic() > until:
            raise OperatorError(
                "does-not-stop",
                en=f"Process {house.pid} has not ended within {STOP_SECONDS} s.",
                zh=f"进程 {house.pid} 在 {STOP_SECONDS} 秒内未结束。",
            )
        time.sleep(0.1)
    return True


def _locked(state_dir: Path) -> bool:
    with contextlib.suppress(FileNotFoundError), (state_dir / "house.lock").open("r") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False

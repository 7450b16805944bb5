"""Virtual environments of real servers, made once and kept while their requirements stay the same."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from tests.real.systems import CACHE, ServerFailedError

INSTALL_S = 900


def virtual_environment(name: str, requirements: Path) -> Path:
    """The ``bin`` folder of an environment with exactly these requirements."""
    mark = hashlib.sha256(requirements.read_bytes()).hexdigest()[:12]
    place = CACHE / f"{name}-{mark}"
    CACHE.mkdir(exist_ok=True)
    with (CACHE / f"{name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two sessions install once
        if not (place / "installed").exists():
            shutil.rmtree(place, ignore_errors=True)
            _run(sys.executable, "-m", "venv", str(place))
            _run(
                str(place / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                "-r", str(requirements),
            )  # fmt: skip
            (place / "installed").touch()
    return place / "bin"


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_S, check=False)
    if done.returncode != 0:
        raise ServerFailedError(f"{' '.join(command[:4])} … : {done.stderr[-2000:]}")

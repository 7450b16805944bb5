"""Virtual environments of other programs, made once and kept while their requirements stay the same."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

INSTALL_S = 900
# without a network the house goes on without the program: that must be known soon
PATIENCE = ("--retries", "1", "--timeout", "15")


class InstallFailedError(Exception):
    """The environment could not be made; the text says what the last program said."""


def virtual_environment(name: str, requirements: Path, cache: Path) -> Path:
    """The ``bin`` folder of an environment in ``cache`` with exactly these requirements. Raises InstallFailedError."""
    place = environment_place(name, requirements, cache)
    cache.mkdir(exist_ok=True, parents=True)
    with (cache / f"{name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two processes install once
        if not _is_whole(place):
            shutil.rmtree(place, ignore_errors=True)
            _run(sys.executable, "-m", "venv", str(place))
            _run(
                str(place / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                *PATIENCE, "-r", str(requirements),
            )  # fmt: skip
            (place / "installed").touch()
    return place / "bin"


def is_installed(name: str, requirements: Path, cache: Path) -> bool:
    """Whether :func:`virtual_environment` has nothing to do."""
    return _is_whole(environment_place(name, requirements, cache))


def environment_place(name: str, requirements: Path, cache: Path) -> Path:
    """Another content, another folder."""
    mark = hashlib.sha256(requirements.read_bytes()).hexdigest()[:12]
    return cache / f"{name}-{mark}"


def _is_whole(place: Path) -> bool:
    # a Python that has been uninstalled since leaves a link that leads nowhere
    return (place / "installed").exists() and (place / "bin" / "python").exists()


def _run(*command: str) -> None:
    quiet = {**os.environ, "PIP_ROOT_USER_ACTION": "ignore"}
    try:
        done = subprocess.run(  # noqa: S603 -- our own interpreter, with a file of ours
            command, capture_output=True, text=True, timeout=INSTALL_S, check=False, env=quiet
        )
    except subprocess.TimeoutExpired:
        raise InstallFailedError(f"not installed within {INSTALL_S} s") from None
    if done.returncode != 0:
        raise InstallFailedError((done.stderr or done.stdout).strip()[-2000:])

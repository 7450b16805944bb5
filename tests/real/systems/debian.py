"""Programs from Debian's packages: found where they are, installed where that is allowed."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.real.systems import CACHE, ServerFailedError

INSTALL_S = 600


def program(name: str) -> str:
    """The path of a program; Debian names php-fpm after its version."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if found is None and name == "php-fpm":
        versions = sorted(Path("/usr/sbin").glob("php-fpm[0-9]*"))
        found = str(versions[-1]) if versions else None
    if found is None:
        raise ServerFailedError(f"{name} is not installed")
    return found


def is_there(name: str) -> bool:
    """Whether a program is installed."""
    try:
        program(name)
    except ServerFailedError:
        return False
    return True


def have_programs(programs: Mapping[str, str]) -> None:
    """Install the packages whose programs are missing; ``programs``: what each package is there for, program → package."""
    install([package for name, package in programs.items() if not is_there(name)])


def install(packages: Sequence[str]) -> None:
    """Install packages, as root alone. Raises ServerFailedError."""
    if not packages:
        return
    if os.geteuid() != 0:
        raise ServerFailedError(f"missing: {' '.join(packages)}")
    CACHE.mkdir(exist_ok=True)
    with (CACHE / "debian.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two sessions install once
        apt("update", "-qq")
        apt("install", "-y", "-qq", "--no-install-recommends", *packages)


def apt(*arguments: str, cwd: str | None = None) -> None:
    """One call of apt-get."""
    run("apt-get", *arguments, cwd=cwd)


def run(*command: str, cwd: str | None = None) -> str:
    """What a command printed; raises ServerFailedError when it fails."""
    # RUNLEVEL: the packages must not start servers of their own
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    done = subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, timeout=INSTALL_S, check=False
    )
    if done.returncode != 0:
        raise ServerFailedError(f"{' '.join(command[:3])} … : {done.stderr[-2000:]}")
    return done.stdout

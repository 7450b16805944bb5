"""Packages of Debian that are downloaded, as anybody may, and unpacked into a folder instead of installed."""

from __future__ import annotations

import fcntl
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.real.systems import CACHE, ServerFailedError
from tests.real.systems.debian import apt, run


def unpacked(name: str, packages: Sequence[str], *, without: Sequence[str] = ()) -> Path:
    """The folder with ``packages`` and what they need beyond this machine's own; made once. Raises ServerFailedError.

    ``without``: the beginnings of names that they ask for and that nothing here uses.
    """
    CACHE.mkdir(exist_ok=True)
    place = CACHE / name
    with (CACHE / f"{name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two sessions unpack once
        if not (place / "unpacked").exists():
            shutil.rmtree(place, ignore_errors=True)
            try:
                _unpack(place, packages, without)
            except ServerFailedError:
                apt("update", "-qq")  # for root alone; without it what the machine knows must do
                _unpack(place, packages, without)
            (place / "unpacked").touch()
    return place


def _unpack(place: Path, packages: Sequence[str], without: Sequence[str]) -> None:
    needed = [one for one in _needed(packages) if not one.startswith(tuple(without))]
    with tempfile.TemporaryDirectory() as folder:
        apt("download", "-qq", *needed, cwd=folder)
        place.mkdir(exist_ok=True)
        for package in Path(folder).glob("*.deb"):
            run("dpkg-deb", "-x", str(package), str(place))


def _needed(packages: Sequence[str]) -> list[str]:
    plan = run("apt-get", "install", "--simulate", "--no-install-recommends", *packages)
    found = [line.split()[1] for line in plan.splitlines() if line.startswith("Inst ")]
    # what is installed already is not in the plan
    return list(dict.fromkeys([*packages, *found]))

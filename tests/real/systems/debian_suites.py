"""Packages of another Debian than this machine's, downloaded with lists of their own and only unpacked.

The machine's own lists and packages stay as they are; nothing of it needs root.
"""

from __future__ import annotations

import fcntl
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.real.systems import CACHE, ServerFailedError
from tests.real.systems.debian import run

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"  # Debian signs each release with a key that the others know


def unpacked_from(suite: str, name: str, packages: Sequence[str]) -> Path:
    """The folder with ``packages`` of ``suite``, and nothing that they need; made once. Raises ServerFailedError."""
    CACHE.mkdir(exist_ok=True)
    place = CACHE / f"{name}-{suite}"
    with (CACHE / f"{name}-{suite}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two sessions unpack once
        if not (place / "unpacked").exists():
            shutil.rmtree(place, ignore_errors=True)
            with tempfile.TemporaryDirectory() as folder:
                _download(Path(folder), suite, packages)
                place.mkdir()
                for package in (Path(folder) / "packages").glob("*.deb"):
                    run("dpkg-deb", "-x", str(package), str(place))
            (place / "unpacked").touch()
    return place


def _download(folder: Path, suite: str, packages: Sequence[str]) -> None:
    for part in ("lists/partial", "cache/archives/partial", "packages"):
        (folder / part).mkdir(parents=True)
    (folder / "status").touch()  # nothing is installed there
    (folder / "sources.list").write_text(f"deb [signed-by={KEYRING}] {_mirror()} {suite} main\n")
    values = {
        "Dir::Etc::sourcelist": folder / "sources.list",
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::State": folder,
        "Dir::State::lists": folder / "lists",
        "Dir::State::status": folder / "status",
        "Dir::Cache": folder / "cache",
        "APT::Sandbox::User": "",
        "Acquire::Languages": "none",
        "Debug::NoLocking": "true",
    }
    options = [part for name, value in values.items() for part in ("-o", f"{name}={value}")]
    run("apt-get", *options, "-qq", "update")
    run("apt-get", *options, "-qq", "download", *packages, cwd=str(folder / "packages"))


def _mirror() -> str:
    """Where this machine gets its packages from."""
    known = run("apt-get", "indextargets", "--format", "$(REPO_URI)").split()
    if not known:
        raise ServerFailedError("apt knows no mirror; apt-get update makes it known")
    return known[0]

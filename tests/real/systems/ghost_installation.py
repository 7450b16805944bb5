"""Ghost as its npm package: unpacked, and what it needs installed beside it by a lock file of ours.

It cannot be installed as somebody's dependency: parts of it are archives inside of it. Its own lock file is pnpm's.
``ghost_files/package-lock.json`` was made in the unpacked package, with npm's ``--omit-lockfile-registry-resolved``.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from tests.real.systems import ServerFailedError
from tests.real.systems.node import INSTALL_S, installed, node_environment

VERSION = "6.65.0"
SHA512 = "D369qivOmfn4YwvBD1DljOGsHnJzBEQhBsiFnBZD+GjWrBpdZQYYNHneiQcKQVJwUom8eHWml1n5FRLQIwVFOg=="
FILES = Path(__file__).parent / "ghost_files"


@functools.cache
def ghost_tree() -> Path:
    """The folder of Ghost, ready to start on MariaDB. Raises ServerFailedError.

    ``ONCE_TEST_GHOST`` names a folder with another version: its npm package, unpacked, with ``npm install`` run in it.
    """
    other = os.environ.get("ONCE_TEST_GHOST")
    return Path(other) if other else installed(f"ghost-{VERSION}", FILES, prepare=_unpack)


def _unpack(place: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        archive = _download(Path(folder))
        found = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
        if found != SHA512:
            raise ServerFailedError(f"{archive.name} is not the archive that the lock file was made for")
        with tarfile.open(archive) as opened:
            opened.extractall(folder, filter="data")
        shutil.copytree(Path(folder) / "package", place, dirs_exist_ok=True)


def _download(folder: Path) -> Path:
    done = subprocess.run(
        ["npm", "pack", "--silent", f"ghost@{VERSION}"],
        cwd=folder,
        env={**os.environ, **node_environment()},
        capture_output=True,
        text=True,
        timeout=INSTALL_S,
        check=False,
    )
    if done.returncode != 0:
        raise ServerFailedError(f"npm pack ghost: {done.stderr[-2000:]}")
    return folder / done.stdout.strip().splitlines()[-1]

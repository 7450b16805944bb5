"""Where the embedded PostgreSQL keeps its files, and as whom it runs.

PostgreSQL refuses to run as root, and a Unix socket's path may not be longer than 107 bytes. So a process
of root runs the server as ``nobody`` (no user is added to the machine), in a folder outside the project
when that user cannot enter the project; and a long path gets its socket in the temporary folder.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from once_delivery.common.operator_error import OperatorError

SOCKET_NAME = ".s.PGSQL.5432"
SOCKET_PATH_BYTES = 100  # Linux allows 107, macOS 103
OUTSIDE = Path("/var/lib/once-delivery")
SERVER_USER = "nobody"


@dataclass(frozen=True, slots=True)
class ServerUser:
    uid: int
    gid: int


@dataclass(frozen=True, slots=True)
class Place:
    """Folders of one server; computed from the path alone, so that every process finds the same."""

    home: Path
    socket_dir: Path
    user: ServerUser | None

    @classmethod
    def below(cls, state_dir: Path) -> Place:
        state_dir = state_dir.absolute()
        mark = hashlib.sha256(str(state_dir).encode()).hexdigest()[:12]
        user = _server_user()
        home, outside = state_dir / "postgres", OUTSIDE / mark
        # where data is, it stays: permissions of a folder above may change later
        if user is not None and not (home / "data").exists():
            home = outside if (outside / "data").exists() or not _open_to_all(state_dir) else home
        socket_dir = home / "run"
        if len(os.fsencode(socket_dir / SOCKET_NAME)) > SOCKET_PATH_BYTES:
            owner = os.geteuid() if user is None else user.uid
            socket_dir = Path(tempfile.gettempdir()) / f"once-{owner}-{mark}"
        return cls(home=home, socket_dir=socket_dir, user=user)

    @property
    def data(self) -> Path:
        return self.home / "data"

    def prepare(self) -> None:
        """Both folders exist and only the server's user may enter them."""
        for folder in (self.home, self.socket_dir):
            make_state_dir(folder)
            found = folder.lstat()
            owner = os.geteuid() if self.user is None else self.user.uid
            if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {os.geteuid(), owner}:
                # somebody else may have put it into the temporary folder to listen to us
                raise OperatorError(
                    "postgres-folder",
                    en=f"{folder} is not a folder of this user; remove it.",
                    zh=f"{folder} 不是当前用户的目录，请删除。",
                )
            folder.chmod(0o700)
            if self.user is not None:
                os.chown(folder, self.user.uid, self.user.gid)

    def give(self, path: Path) -> None:
        """``path`` and all below it belong to the server's user."""
        if self.user is None:
            return
        for each in (path, *path.rglob("*")):
            os.chown(each, self.user.uid, self.user.gid, follow_symlinks=False)

    def needs_copy(self, binaries: Path) -> bool:
        """Whether the server's user cannot run the binaries where they are."""
        if self.user is None:
            return False
        return not (_open_to_all(binaries / "bin") and (binaries / "bin" / "postgres").stat().st_mode & 0o001)

    def remove(self) -> None:
        for folder in (self.home, self.socket_dir):
            shutil.rmtree(folder, ignore_errors=True)


def make_state_dir(folder: Path) -> Path:
    """``folder`` exists; what had to be made of the way to it may be passed through, whatever the umask."""
    missing = [step for step in (folder, *folder.parents) if not step.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for step in missing:
        step.chmod(0o711)
    return folder


def _server_user() -> ServerUser | None:
    if os.geteuid() != 0:
        return None
    entry = pwd.getpwnam(SERVER_USER)
    return ServerUser(uid=entry.pw_uid, gid=entry.pw_gid)


def _open_to_all(folder: Path) -> bool:
    """Whether any user may pass through ``folder`` (or through what exists of the way to it)."""
    real = folder.resolve()
    return all(step.stat().st_mode & stat.S_IXOTH for step in (real, *real.parents) if step.exists())

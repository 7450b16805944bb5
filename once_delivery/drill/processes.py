"""Real processes of the drill: a first try that dies in the middle, and recoveries that start together."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from django.conf import settings
from django.db import connection
from psycopg.conninfo import make_conninfo

from once_delivery.drill.errors import DrillBrokenError

START_S = 90.0  # many processes may start at once on a busy machine


class Child:
    """One process of this program. Killed when it is not needed any more."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), "drill_child", *arguments],
            env=os.environ
            | {"DATABASE_URL": same_database(), "DJANGO_SETTINGS_MODULE": "once_delivery.config.settings"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def kill(self) -> None:
        """SIGKILL: it does not get to say anything."""
        self._process.kill()
        self._process.communicate()

    def is_alive(self) -> bool:
        """Has it not ended yet?"""
        return self._process.poll() is None

    def finish(self, *, within_s: float) -> None:
        """Wait for its end; raises DrillBrokenError when it failed or takes longer."""
        try:
            _, said = self._process.communicate(timeout=within_s)
        except subprocess.TimeoutExpired:
            self.kill()
            raise DrillBrokenError("no-end", seconds=round(within_s)) from None
        if self._process.returncode != 0:
            raise DrillBrokenError(
                "process-failed", said=said.strip()[-500:] or f"exit {self._process.returncode}"
            )

    def complaint(self) -> str:
        """What it said on its way out."""
        _, said = self._process.communicate()
        return said.strip()[-500:]


def start_together(children: int, batch_id: int, folder: Path, *, wait_s: float) -> list[Child]:
    """Recoveries in processes of their own, released at one moment."""
    go = folder / f"go-{batch_id}"
    ready = [folder / f"ready-{batch_id}-{number}" for number in range(children)]
    started = [
        Child(
            "recover", str(batch_id), "--wait", str(wait_s), "--ready-file", str(file), "--go-file", str(go)
        )
        for file in ready
    ]
    until = time.monotonic() + START_S
    while not all(file.exists() for file in ready):
        if time.monotonic() > until or not all(child.is_alive() for child in started):
            for child in started:
                child.kill()
            raise DrillBrokenError("not-started")
        time.sleep(0.02)
    go.touch()
    return started


def same_database() -> str:
    """The children work on the database that this process works on, whatever the settings name."""
    entry = connection.settings_dict
    parts = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}
    return make_conninfo(**{key: str(entry[name]) for key, name in parts.items() if entry.get(name)})

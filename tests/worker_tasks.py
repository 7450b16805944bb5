"""The house's Celery application with tasks that only tests send: ``celery -A tests.worker_tasks worker``."""

from __future__ import annotations

import os
import time
from pathlib import Path

from once_delivery.config.celery import app


@app.task(name="tests.note")
def note(folder: str, mark: str) -> None:
    """One line in a file per process that did it."""
    with (Path(folder) / str(os.getpid())).open("a", encoding="utf-8") as file:
        file.write(f"{mark}\n")


@app.task(name="tests.note_slowly")
def note_slowly(folder: str, mark: str, seconds: float) -> None:
    note(folder, f"begun {mark}")
    time.sleep(seconds)
    note(folder, f"done {mark}")

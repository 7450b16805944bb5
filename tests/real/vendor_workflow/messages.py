"""What both scripts stand on: messages that lie in files, so that they need no server, and marks for what is done.

``WORKFLOW_FOLDER``: where both lie.
"""

from __future__ import annotations

import os
from pathlib import Path

from celery import Celery


def app_on(folder: Path) -> Celery:
    """A queue in ``folder``."""
    for name in ("messages", "processed"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    app = Celery("workflow", broker="filesystem://", set_as_current=False)
    app.conf.broker_transport_options = {
        "data_folder_in": str(folder / "messages"),
        "data_folder_out": str(folder / "messages"),
        "processed_folder": str(folder / "processed"),
        "control_folder": str(folder / "control"),
    }
    app.conf.update(worker_enable_remote_control=False, task_ignore_result=True, task_acks_late=True)
    return app


def note_done(product: str) -> None:
    (Path(os.environ["WORKFLOW_FOLDER"]) / f"{product}.done").touch()

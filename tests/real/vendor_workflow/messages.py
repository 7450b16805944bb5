"""What both scripts stand on: messages that lie in files, so that they need no server, and marks for what is done.

``WORKFLOW_FOLDER``: where both lie.
"""

from __future__ import annotations

import os
import uuid
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
    app.conf.update(
        worker_enable_remote_control=False,
        worker_prefetch_multiplier=1,  # what one worker has not begun is another's
        task_ignore_result=True,
        task_acks_late=True,
    )
    return app


def note_done(product: str) -> None:
    """This run of ``product`` has come to its end."""
    (Path(os.environ["WORKFLOW_FOLDER"]) / f"{product}.{uuid.uuid4().hex}.done").touch()


def times_done(folder: Path, product: str) -> int:
    return len(list(folder.glob(f"{product}.*.done")))

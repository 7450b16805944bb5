"""What both scripts have: messages that lie in files, and the request that makes a draft.

``WORKFLOW_CMS``, ``WORKFLOW_TOKEN``: the CMS's address and token. ``WORKFLOW_FOLDER``: where messages and marks lie.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import requests
from celery import Celery


def app_on(folder: Path) -> Celery:
    """Messages lie in files, so that the script needs no server."""
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


def create_draft(title: str, **fields: Any) -> dict[str, Any]:
    """One draft in the CMS; raises RequestException when no good answer comes."""
    answer = requests.post(
        f"{os.environ['WORKFLOW_CMS']}/drafts",
        json={"title": title, "body": f"<p>{title}</p>", **fields},
        headers={"Authorization": f"Bearer {os.environ['WORKFLOW_TOKEN']}"},
        timeout=5,
    )
    answer.raise_for_status()
    made: dict[str, Any] = answer.json()
    return made


def note_done(title: str) -> None:
    (Path(os.environ["WORKFLOW_FOLDER"]) / f"{title}.done").touch()

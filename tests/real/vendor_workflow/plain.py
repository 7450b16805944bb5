"""A plain Celery script with retries, as it stands in many a project. It knows nothing of ONCE."""

from __future__ import annotations

import os
from pathlib import Path

import requests

from tests.real.vendor_workflow.cms import create_draft
from tests.real.vendor_workflow.messages import app_on, note_done

app = app_on(Path(os.environ["WORKFLOW_FOLDER"]))


@app.task(name="publish", autoretry_for=(requests.RequestException,), retry_kwargs={"countdown": 0.2})
def publish(product: str, title: str) -> None:
    """Make the draft; when that fails, make it again."""
    create_draft(title)
    note_done(product)

"""The same script with a permit of ONCE around its own request.

``WORKFLOW_ONCE``, ``WORKFLOW_ONCE_TOKEN``: the API and its token. ``WORKFLOW_TARGET``: the CMS's name there.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import requests
from celery import Task

from once_delivery.client import Once, OnceError, Permit, identity
from tests.real.vendor_workflow.cms import app_on, create_draft, note_done

app = app_on(Path(os.environ["WORKFLOW_FOLDER"]))
once = Once(os.environ["WORKFLOW_ONCE"], os.environ["WORKFLOW_ONCE_TOKEN"])


class NotYetError(Exception):
    """Ask again later."""


@app.task(name="publish", bind=True, max_retries=40)
def publish(self: Task[Any, Any], title: str) -> None:
    """Make the draft if nobody has; when that fails, ask what there is."""
    try:
        _publish(title, str(self.request.id))
    except (requests.RequestException, NotYetError, OnceError) as error:
        raise self.retry(exc=error, countdown=0.3) from error
    note_done(title)


def _publish(title: str, execution: str) -> None:
    what = identity(title.lower(), "en-US", "product-page", 1)
    content = {"title": title, "body": f"<p>{title}</p>"}
    permit = once.permit(
        what,
        target=os.environ["WORKFLOW_TARGET"],
        content=content,
        brief={"text": title},
        execution=execution,
    )
    if permit.answer == "look_up":
        _look(permit)
        return
    with permit:
        if permit.go:
            made = create_draft(title, marker=permit.marker)
            permit.done(made["id"], marker=made["marker"])


def _look(permit: Permit) -> None:
    """Tell what the CMS shows under the marker; the server decides what follows."""
    answer = requests.get(
        f"{os.environ['WORKFLOW_CMS']}/drafts",
        params={"marker": permit.marker, "status": "any"},
        headers={"Authorization": f"Bearer {os.environ['WORKFLOW_TOKEN']}"},
        timeout=5,
    )
    answer.raise_for_status()
    items = answer.json()["items"]
    if not items:
        permit.absent(complete=True, method="marker")
        raise NotYetError
    permit.found(*({"result_id": one["id"], "marker": one["marker"]} for one in items), method="marker")

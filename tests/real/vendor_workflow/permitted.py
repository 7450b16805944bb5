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
from tests.real.vendor_workflow.cms import TIMEOUT_S, create_draft, find_drafts
from tests.real.vendor_workflow.messages import app_on, note_done

app = app_on(Path(os.environ["WORKFLOW_FOLDER"]))
once = Once(os.environ["WORKFLOW_ONCE"], os.environ["WORKFLOW_ONCE_TOKEN"])


class NotYetError(Exception):
    """Ask again later."""


@app.task(name="publish", bind=True, max_retries=40)
def publish(self: Task[Any, Any], product: str, title: str) -> None:
    """Make the draft if nobody has; when that fails, ask what there is."""
    try:
        _publish(product, title, str(self.request.id))
    except (requests.RequestException, NotYetError, OnceError) as error:
        raise self.retry(exc=error, countdown=0.3) from error
    note_done(product)


def _publish(product: str, title: str, execution: str) -> None:
    what = identity(product, "en-US", "product-page", 1)
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
            made = create_draft(title, permit.marker, timeout=permit.deadline_s or TIMEOUT_S)
            permit.done(made.result_id, marker=made.marker)


def _look(permit: Permit) -> None:
    """Tell what the CMS shows under the marker; the server decides what follows."""
    drafts = find_drafts(permit.marker)
    if not drafts:
        permit.absent(complete=True, method="marker")
        raise NotYetError
    permit.found(*({"result_id": one.result_id, "marker": one.marker} for one in drafts), method="marker")

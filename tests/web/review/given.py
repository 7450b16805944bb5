"""What tests of review do at the target and with pages."""

from __future__ import annotations

import re

from django.test import Client as Browser

from once_delivery.ledger.models import Action, Task
from tests.fakes.connector import FakeTarget


def address(task: Task) -> str:
    return f"/review/{task.uuid}/"


def opened(browser: Browser, path: str) -> str:
    """The content hash that the page's form would send."""
    found = re.search(r'name="content_hash" value="([0-9a-f]{64})"', browser.get(path).content.decode())
    assert found is not None
    return found.group(1)


def edit(fake: FakeTarget, task: Task, title: str = "Der Krug", body: str = "<p>Neu.</p>") -> None:
    """An editor writes at the target."""
    held = fake.held(Action.objects.get(task=task).result_id)
    assert held is not None
    fake.change(held, {"title": title, "body": body})

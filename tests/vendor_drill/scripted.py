"""A drill on a server that says what a test tells it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from once_delivery.ledger.clock import database_now
from once_delivery.targets.models import Target
from once_delivery.vendor_drill.models import VendorDrill, VendorDrillStatus
from once_delivery.vendor_drill.services.ask_drill import ask_drill
from tests.builders import a_project, a_target
from tests.fakes.scripted_server import Answer, ScriptedServer, serving
from tests.vendor_drill.given import agreed


@contextmanager
def scripted(
    *answers: Answer | bytes, base: str = "/base", limit_s: float = 60.0, **changes: Any
) -> Iterator[tuple[ScriptedServer, str, VendorDrill]]:
    """An open drill on a server that says what it is told, and its secret."""
    with serving(*answers) as server:
        project = a_project()
        target = a_target(project, name=f"cms-{server.port}", kind="noop")
        Target.objects.filter(pk=target.pk).update(
            is_test=True, allow_inside=True, base_url=server.url + base
        )
        target.refresh_from_db()
        asked = ask_drill(project=project, target=target, agreement=agreed(**changes), user=None)
        now = database_now()
        VendorDrill.objects.filter(pk=asked.drill.pk).update(
            status=VendorDrillStatus.OPEN, opened_at=now, ends_at=now + timedelta(seconds=limit_s)
        )
        asked.drill.refresh_from_db()
        yield server, asked.secret, asked.drill


def reply(body: bytes = b"{}", head: str = "HTTP/1.1 200 OK", **headers: str) -> bytes:
    lines = [head, *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode() + body

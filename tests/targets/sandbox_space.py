"""A space of a real sandbox, in a process of its own, and a connector to it."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.base import Connection, Connector, EffectRequest, FileBytes, Kind, LookUpRequest
from once_delivery.targets.profile import Guard
from once_delivery.targets.registry import connect
from once_delivery.targets.rest.profiles import ready_profile

ADMIN = "admin-token-for-tests"
SPACES: dict[Guard, dict[str, Any]] = {
    Guard.IDEMPOTENCY_KEY: {"idempotency": True, "lookup": "none"},
    Guard.CLIENT_ID: {"client_ids": True, "unique_marker": True},
    Guard.LOOKUP: {},
    Guard.NONE: {"lookup": "none"},
}
DATA = b"\x89PNG" * 50
FILE = FileBytes("a.png", "image/png", hashlib.sha256(DATA).hexdigest(), DATA)
PAYLOADS: dict[Kind, dict[str, Any]] = {
    Kind.CREATE_DRAFT: {
        "title": "标题 😀",
        "body": "<p>x</p>",
        "locale": "de-DE",
        "product": "p",
        "featured_media": "u1",
    },
    Kind.UPLOAD_FILE: {
        "file": {"sha256": FILE.sha256, "name": "a.png", "media_type": "image/png"},
        "alt": "x",
    },
    Kind.START_JOB: {"prompt": "a bag"},
}


def running_sandbox(data: Path) -> Iterator[SandboxAdmin]:
    """A sandbox until the generator is closed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "once_delivery.sandbox", "--data", str(data), "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "ONCE_SANDBOX_ADMIN_TOKEN": ADMIN},
    )
    assert process.stdout is not None
    yield SandboxAdmin(process.stdout.readline().strip(), ADMIN)
    process.terminate()
    process.wait(5)
    process.stdout.close()


class Target:
    """One space and a connector to it."""

    def __init__(self, admin: SandboxAdmin, guard: Guard) -> None:
        self.admin = admin
        self.space = f"s{uuid.uuid4().hex[:12]}"
        token = admin.put_space(self.space, **SPACES[guard])["token"]
        ready = ready_profile("sandbox", guard)
        connection = Connection(
            admin.content_url(self.space), ready.declaration, {"token": token}, allow_inside=True
        )
        self.connector: Connector = connect("rest", connection)

    def request(self, kind: Kind = Kind.CREATE_DRAFT, number: int = 1, **more: Any) -> EffectRequest:
        marker = f"once-{kind.value.replace('_', '')}{number}"
        own = str(uuid.uuid5(uuid.NAMESPACE_URL, marker))
        return EffectRequest(kind, marker, own, marker, PAYLOADS[kind], 3.0, {FILE.sha256: FILE}, **more)

    def look(self, kind: Kind = Kind.CREATE_DRAFT, number: int = 1, result_id: str = "") -> Any:
        one = self.request(kind, number)
        return self.connector.look_up(LookUpRequest(kind, one.marker, one.client_id, 3.0, result_id))

"""A drill on a space of the sandbox, the proxy before it, and a vendor that sends requests through it."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from once_delivery.accounts.models import Project
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.models import Target
from once_delivery.vendor_drill.agreement import Agreement
from once_delivery.vendor_drill.models import ItemVerdict, VendorDrill
from once_delivery.vendor_drill.proxy.limits import LIMITS, Limits
from once_delivery.vendor_drill.proxy.serving import Proxy
from once_delivery.vendor_drill.services.ask_drill import ask_drill
from once_delivery.vendor_drill.services.close_drill import close_drill
from once_delivery.vendor_drill.services.give_sandbox import give_sandbox
from once_delivery.vendor_drill.services.judge_drill import judge_drill
from once_delivery.vendor_drill.services.open_drill import open_drill

TITLES = ("Kettle", "Lamp", "Chair", "Vase", "Desk", "Sofa")


def agreed(count: int = 3, **changes: Any) -> Agreement:
    """Recognised by the title, short waits."""
    values: dict[str, Any] = {
        "vendor": "Acme Flows",
        "count": count,
        "recognise": "json",
        "place": "/title",
        "values": TITLES[:count],
        "creates_at": "/drafts",
        "limit_s": 600,
        "slow_s": 0.4,
        "race_s": 2.0,
        **changes,
    }
    return Agreement(**values)


@dataclass(slots=True)
class Running:
    """``port``: where the proxy listens."""

    port: int


@contextmanager
def proxy_running(limits: Limits = LIMITS, public_url: str = "") -> Iterator[Running]:
    """The proxy in a thread of this process, on the test's database."""
    loop = asyncio.new_event_loop()
    started: list[int] = []
    ready = threading.Event()
    proxy = Proxy(public_url, limits)

    async def serve() -> None:
        server = await proxy.start("127.0.0.1", 0)
        started.append(server.sockets[0].getsockname()[1])
        ready.set()
        await server.serve_forever()

    def run() -> None:
        asyncio.set_event_loop(loop)
        task = loop.create_task(serve())
        stops.append(task)
        with contextlib.suppress(asyncio.CancelledError):
            loop.run_until_complete(task)
        rest = asyncio.all_tasks(loop)
        for one in rest:
            one.cancel()
        loop.run_until_complete(asyncio.gather(*rest, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()

    stops: list[asyncio.Task[None]] = []
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield Running(started[0])
    finally:
        loop.call_soon_threadsafe(stops[0].cancel)
        thread.join(10)
        proxy.journal.close()


@dataclass(slots=True)
class Vendor:
    """What a vendor's workflow has: a base URL in place of the CMS's, and its own token."""

    drill: VendorDrill
    secret: str
    token: str
    port: int
    admin: SandboxAdmin
    target: Target

    def ask(
        self, method: str, path: str, document: Any = None, *, timeout: float = 10, **headers: str
    ) -> tuple[int, Any]:
        """Status and document; raises OSError or HTTPException when no answer comes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        body = json.dumps(document) if document is not None else None
        sent = {
            "Authorization": f"Bearer {self.token}",
            **{k.replace("_", "-"): v for k, v in headers.items()},
        }
        try:
            connection.request(method, f"/{self.secret}{path}", body, sent)
            response = connection.getresponse()
            text = response.read()
            return response.status, json.loads(text) if text else None
        finally:
            connection.close()

    def create(self, title: str, **more: Any) -> tuple[int, Any]:
        return self.ask("POST", "/drafts", {"title": title}, **more)

    def try_create(self, title: str, **more: Any) -> int | None:
        """The status, None when the answer was lost."""
        try:
            return self.create(title, **more)[0]
        except (OSError, http.client.HTTPException):
            return None

    def held(self) -> list[str]:
        """Titles of what the sandbox really has."""
        return sorted(str(one["title"]) for one in self.admin.objects(self.target.name))

    def raw(self, data: bytes, *, timeout: float = 5) -> bytes:
        """Bytes as they are, on a socket of their own; all that comes back until the proxy closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as sock:
            sock.sendall(data)
            heard = b""
            with contextlib.suppress(OSError):
                while piece := sock.recv(65536):
                    heard += piece
            return heard

    def finish(self) -> dict[str, tuple[bool, str]]:
        """Closed, counted and judged: letter → passed, why."""
        judge_drill(drill=close_drill(drill=self.drill, user=None))
        return {one.item: (one.passed, one.why) for one in ItemVerdict.objects.filter(drill=self.drill)}


def a_vendor(project: Project, admin: SandboxAdmin, port: int, agreement: Agreement | None = None) -> Vendor:
    given = give_sandbox(project=project, url=admin.base_url, token=admin._token)
    asked = ask_drill(project=project, target=given.target, agreement=agreement or agreed(), user=None)
    drill = open_drill(drill=asked.drill)
    return Vendor(drill, asked.secret, given.token, port, admin, given.target)


def upstream_path(vendor: Vendor) -> str:
    return urlsplit(vendor.target.base_url).path

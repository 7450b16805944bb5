"""A caller of the content API over real sockets, and what the tests keep asking."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.sandbox.documents import LoggedCall, TrueObject


@dataclass(frozen=True)
class Reply:
    """One whole answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Caller:
    """Speaks to one space with its token, one connection a call."""

    admin: SandboxAdmin
    space: str
    token: str
    port: int

    def ask(
        self,
        method: str,
        path: str,
        document: Any = None,
        *,
        headers: dict[str, str] | None = None,
        timeout: float = 5.0,
    ) -> Reply:
        """One call; ``path`` begins after the space."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        body = document if document is None or isinstance(document, bytes) else json.dumps(document).encode()
        try:
            all_headers = {"Authorization": f"Bearer {self.token}", **(headers or {})}
            connection.request(method, f"/spaces/{self.space}{path}", body, all_headers)
            answer = connection.getresponse()
            names = {name.lower(): value for name, value in answer.getheaders()}
            return Reply(answer.status, names, answer.read())
        finally:
            connection.close()

    def create(
        self, marker: str | None = "m-1", *, key: str | None = None, timeout: float = 5.0, **more: Any
    ) -> Reply:
        """POST one draft."""
        fields = {"title": "Title", "body": "<p>Body</p>", "locale": "de-DE", **more}
        if marker is not None:
            fields["marker"] = marker
        headers = {"Idempotency-Key": key} if key else {}
        return self.ask("POST", "/drafts", fields, headers=headers, timeout=timeout)

    def head_of_create(self, marker: str = "m-1") -> bytes:
        """The bytes of a POST, for a socket of one's own."""
        body = json.dumps({"title": "Title", "marker": marker}).encode()
        return (
            f"POST /spaces/{self.space}/drafts HTTP/1.1\r\nHost: sandbox\r\n"
            f"Authorization: Bearer {self.token}\r\nContent-Length: {len(body)}\r\n\r\n"
        ).encode() + body

    def connect(self, timeout: float = 5.0) -> socket.socket:
        """A bare connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def fault(self, kind: str, **more: Any) -> None:
        """Arm a fault in this space."""
        self.admin.add_fault(self.space, kind, **more)

    def settings(self, **settings: Any) -> None:
        """Replace the settings of this space."""
        self.admin.put_space(self.space, **settings)

    def held(self, marker: str | None = None) -> list[TrueObject]:
        """What the space really holds."""
        return self.admin.objects(self.space, marker=marker)

    def creates(self) -> list[LoggedCall]:
        """The create calls in order."""
        return self.admin.log(self.space, operation="create")


def at_once(number: int, deed: Callable[[int], Reply]) -> list[Reply]:
    """Let that many threads do it at the same moment."""
    gate = threading.Barrier(number)
    replies: list[Reply] = []

    def run(index: int) -> None:
        gate.wait()
        replies.append(deed(index))

    threads = [threading.Thread(target=run, args=(index,)) for index in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return replies

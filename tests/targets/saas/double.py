"""What the doubles share: a socket, losing an answer, and the truth about what they hold."""

from __future__ import annotations

import contextlib
import itertools
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import parse_qs, unquote, urlsplit

from once_delivery.targets.base import Connection
from once_delivery.targets.registry import connect
from once_delivery.targets.rest.connector import RestConnector
from once_delivery.targets.rest.profiles import ready_profile
from tests.fakes.scripted_server import HangUp, Received, answered, serving

Reply = tuple[int, Any]


@dataclass(frozen=True)
class Call:
    """One request, taken apart."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any


@dataclass(frozen=True)
class Held:
    """One object as the double has it."""

    id: str
    title: str
    body: str
    public: bool


class Double:
    """One service with nothing in it."""

    name: ClassVar[str]
    values: ClassVar[dict[str, str]]
    credentials: ClassVar[dict[str, str]] = {"token": "secret-token-1"}
    authorization: ClassVar[tuple[str, str]] = ("authorization", "Bearer secret-token-1")
    public_word: ClassVar[str] = "published"

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.lose = ""  # "before" or "after": the next request with an effect
        self._moments = itertools.count(1)
        self._lock = threading.Lock()  # the services answer one after another, or say that they do not

    def serve(self, call: Call) -> Reply:
        """Answer one request."""
        raise NotImplementedError

    def has_effect(self, call: Call) -> bool:
        """Whether it could change anything."""
        return call.method != "GET"

    def held(self, marker: str = "") -> list[Held]:
        """Everything, or what carries a marker."""
        raise NotImplementedError

    def edit(self, result_id: str, title: str) -> None:
        """A person changes the title."""
        raise NotImplementedError

    def publish(self, result_id: str) -> None:
        """A person publishes it."""
        raise NotImplementedError

    def now(self) -> str:
        """A moment later than all before."""
        number = next(self._moments)
        return f"2026-11-29T10:{number // 60:02}:{number % 60:02}.000Z"

    def effects(self) -> list[Call]:
        """The requests that could change something."""
        return [call for call in self.calls if self.has_effect(call)]

    def __call__(self, connection: socket.socket, received: Received) -> None:
        parts = urlsplit(received.target)
        query = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
        body = received.json if received.body else None
        call = Call(received.method, unquote(parts.path), query, received.headers, body)
        self.calls.append(call)
        lose = self.lose if self.has_effect(call) else ""
        if lose:
            self.lose = ""
        if lose == "before":
            raise HangUp
        name, value = self.authorization
        known = received.headers.get(name) == value
        with self._lock:
            status, document = self.serve(call) if known else (401, {"error": "who are you"})
            data = answered(b"" if document is None else document, status)
        if lose:
            raise HangUp
        connection.sendall(data)

    @contextlib.contextmanager
    def connected(
        self, *, credentials: dict[str, str] | None = None, **values: str
    ) -> Iterator[RestConnector]:
        """A connector by the ready profile, with other values if given."""
        ready = ready_profile(self.name, **{**self.values, **values})
        with serving(self) as server:
            given = credentials or self.credentials
            connector = connect("rest", Connection(server.url, ready.declaration, given, allow_inside=True))
            assert isinstance(connector, RestConnector)
            try:
                yield connector
            finally:
                connector.close()

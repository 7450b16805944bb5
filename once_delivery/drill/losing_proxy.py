"""A proxy before a real target: it forwards, lets the target commit, and then loses the answer on the way back.

It also keeps the record of every call that could create, which the target itself may not keep.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import socket
import ssl
import threading
from collections import defaultdict
from dataclasses import replace
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Self
from urllib.parse import urlsplit

from once_delivery.common.http import HttpError
from once_delivery.common.http.addresses import allowed_addresses, system_resolver
from once_delivery.common.http.deadline import Deadline
from once_delivery.common.http.message import parse_url
from once_delivery.drill.passing import Loss, Passed, PassedCall, Reply
from once_delivery.drill.proxy_door import Door

_MARKER = re.compile(rb"once-[a-z2-7]{26}")
_HOP_BY_HOP = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "expect",
    }
)
_EFFECTS = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_UPSTREAM_S = 120.0
_CONNECT_S = 20.0
_OK = range(200, 300)


class LosingProxy:
    """Listens on a free port of this machine. ``keep_host``: for callers that sign the host they called.

    ``allow_inside``: whether ``upstream`` may lead inside this network; else what is sent there gets no answer.
    """

    def __init__(self, upstream: str, *, allow_inside: bool, keep_host: bool = False) -> None:
        parts = urlsplit(upstream)
        self._upstream = upstream
        self._allow_inside = allow_inside
        self._secure = parts.scheme == "https"
        self._netloc = parts.netloc
        self._prefix = parts.path.rstrip("/")
        self._keep_host = keep_host
        self._armed: dict[str, list[Loss]] = defaultdict(list)  # by a sign in the request
        self._calls: dict[int, PassedCall] = {}
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._server = Door(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def base_url(self) -> str:
        """Where to send what is to go to the target."""
        return f"http://127.0.0.1:{self._server.server_address[1]}{self._prefix}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def lose(self, sign: str, how: Loss = Loss.CUT, *, times: int = 1) -> None:
        """The next ``times`` calls with ``sign`` (a marker, an ID) in them that could have an effect lose their answer."""
        with self._lock:
            self._armed[sign] += [how] * times

    def calls(self) -> list[PassedCall]:
        """Every call that could create, in the order of their coming."""
        with self._lock:
            return [self._calls[number] for number in sorted(self._calls)]

    def pass_on(self, method: str, path: str, headers: list[tuple[str, str]], body: bytes) -> Passed:
        """Forward one request; what to do with its answer."""
        if method not in _EFFECTS:
            return Passed(self._ask(method, path, headers, body))
        found = _MARKER.search(path.encode()) or _MARKER.search(body)
        marker = found.group().decode() if found else ""
        with self._lock:
            number = next(self._numbers)
            loss = self._loss_of(path.encode(), body)
            self._calls[number] = PassedCall(number, method, path, marker)
        reply = None if loss == Loss.BEFORE else self._ask(method, path, headers, body)
        if reply is not None:
            self._note(number, reply)
        return Passed(reply, loss, number)

    def _loss_of(self, path: bytes, body: bytes) -> Loss | None:
        for sign, losses in self._armed.items():
            if losses and (sign.encode() in path or sign.encode() in body):
                return losses.pop(0)
        return None

    def answered(self, passed: Passed) -> None:
        """The caller is given the answer."""
        with self._lock:
            if passed.number:
                self._calls[passed.number] = replace(self._calls[passed.number], answered=True)

    def stopping(self) -> bool:
        """Whether callers that hang must be let go."""
        return self._stopping.is_set()

    def _note(self, number: int, reply: Reply) -> None:
        result_id = _identity(reply)
        with self._lock:
            call = self._calls[number]
            known = {
                one.result_id
                for one in self._calls.values()
                if one.number != number and one.marker == call.marker and one.created
            }
            created = reply.status in _OK and call.method != "DELETE" and result_id not in known
            self._calls[number] = replace(call, status=reply.status, result_id=result_id, created=created)

    def _ask(self, method: str, path: str, headers: list[tuple[str, str]], body: bytes) -> Reply | None:
        kind = HTTPSConnection if self._secure else HTTPConnection
        connection = kind(self._netloc, timeout=_UPSTREAM_S)
        try:
            connection.sock = self._dialled()
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in headers:
                if name.lower() == "host" and not self._keep_host:
                    connection.putheader("Host", self._netloc)
                elif name.lower() not in _HOP_BY_HOP:
                    connection.putheader(name, value)
            connection.endheaders(body)
            response = connection.getresponse()
            return Reply(response.status, response.getheaders(), response.read())
        except (OSError, HTTPException, HttpError):
            return None
        finally:
            connection.close()

    def _dialled(self) -> socket.socket:
        """A connection to an address that was checked, as every other way to a target has it; raises OSError or HttpError."""
        origin, _ = parse_url(self._upstream)
        addresses = allowed_addresses(
            origin.host,
            origin.port,
            deadline=Deadline.after(_CONNECT_S),
            allow_inside=self._allow_inside,
            resolver=system_resolver,
        )
        sock = _first_that_answers([str(address) for address in addresses], origin.port)
        sock.settimeout(_UPSTREAM_S)
        if not self._secure:
            return sock
        return ssl.create_default_context().wrap_socket(sock, server_hostname=origin.host)


def _first_that_answers(addresses: list[str], port: int) -> socket.socket:
    for address in addresses[:-1]:
        with contextlib.suppress(OSError):
            return socket.create_connection((address, port), _CONNECT_S)
    return socket.create_connection((addresses[-1], port), _CONNECT_S)


def _identity(reply: Reply) -> str:
    """What the answer calls its object: the field ``id``, else the address in ``Location`` or ``ETag``."""
    try:
        document = json.loads(reply.body)
    except ValueError:
        document = None
    for holder in (document, document.get("data") if isinstance(document, dict) else None):
        if isinstance(holder, dict) and isinstance(holder.get("id"), str | int):
            return str(holder["id"])
    headers = {name.lower(): value for name, value in reply.headers}
    return headers.get("location") or headers.get("etag") or ""

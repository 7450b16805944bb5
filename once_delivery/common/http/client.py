"""The one way out: requests that are sent once, end in time, and say what is known afterwards.

It stands on http.client's response parser and on sockets of its own. The layers above it (urllib3, requests)
would have to be told to leave out redirects, retries, cookies, proxies and netrc, and do not tell whether a
byte had left when they failed.
"""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable
from http.client import HTTPException, HTTPResponse, RemoteDisconnected
from typing import ClassVar

import certifi

from once_delivery.common.http.addresses import Resolver, allowed_addresses, system_resolver
from once_delivery.common.http.body import read_body, unpack
from once_delivery.common.http.deadline import Deadline
from once_delivery.common.http.errors import NoAnswerError, NotSentError
from once_delivery.common.http.message import HttpRequest, HttpResult, Origin, encode_head, parse_url
from once_delivery.common.http.pool import Pool
from once_delivery.common.http.sockets import Wire, open_wire

_ONE_WRITE = 64 * 1024
_FINAL = 200  # lower statuses are not an answer yet


class HttpClient:
    """Sends each request at most once. Safe to share between threads, and across a fork.

    ``step`` is for fault tests: it is called with "connected" (open, not a byte written), "written" and
    "answering" (status and headers read), each time with the request.
    """

    step: ClassVar[Callable[[str, HttpRequest], None] | None] = None

    def __init__(
        self,
        *,
        allow_inside: bool = False,
        keep: int = 32,
        resolver: Resolver = system_resolver,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._allow_inside = allow_inside
        self._resolver = resolver
        self._tls = tls
        self._tls_lock = threading.Lock()
        self._pool = Pool(keep)

    def send(self, request: HttpRequest) -> HttpResult:
        """One request and its answer, whatever its status; raises NotSentError or NoAnswerError.

        Nothing is followed and nothing is sent again.
        """
        deadline = Deadline.after(request.deadline_s)
        origin, target = parse_url(request.url)
        head = encode_head(request, origin, target)
        if deadline.over:
            raise NotSentError("deadline-over")
        wire = self._pool.take(origin) or self._open(origin, deadline)
        wire.deadline = deadline
        reusable = False
        try:
            result, reusable = self._exchange(wire, request, head)
        finally:
            if reusable:
                self._pool.give_back(origin, wire)
            else:
                wire.close()
        return result

    def close(self) -> None:
        """Close idle connections; the client stays usable."""
        self._pool.close()

    def _open(self, origin: Origin, deadline: Deadline) -> Wire:
        addresses = allowed_addresses(
            origin.host,
            origin.port,
            deadline=deadline,
            allow_inside=self._allow_inside,
            resolver=self._resolver,
        )
        tls = self._tls_context() if origin.scheme == "https" else None
        return open_wire(addresses, origin.host, origin.port, deadline=deadline, tls=tls)

    def _tls_context(self) -> ssl.SSLContext:
        with self._tls_lock:
            if self._tls is None:
                # the machine's own authorities (SSL_CERT_FILE is heard) and, for bare containers, certifi's
                self._tls = ssl.create_default_context()
                self._tls.load_verify_locations(certifi.where())
            return self._tls

    def _exchange(self, wire: Wire, request: HttpRequest, head: bytes) -> tuple[HttpResult, bool]:
        self._at("connected", request)
        sent_whole = _write(wire, head, request.body)
        self._at("written", request)
        response = HTTPResponse(wire, method=request.method)  # type: ignore[arg-type]  # needs makefile() only
        try:
            _read_head(wire, response)
            self._at("answering", request)
            body, cut = read_body(response, request.body_cap)
            headers = _headers(response)
            if not cut:
                body, cut = unpack(body, headers.get("content-encoding", ""), request.body_cap)
            reusable = sent_whole and cut in {"", "bad-encoding"} and not response.will_close
            return HttpResult(response.status, headers, body, request.url, cut, sent_whole), reusable
        finally:
            response.close()

    def _at(self, name: str, request: HttpRequest) -> None:
        step = type(self).step
        if step is not None:
            step(name, request)


def _write(wire: Wire, head: bytes, body: bytes) -> bool:
    """Whether the whole request went out; raises when nothing of it did, or when the time was over."""
    if not wire.ready():
        raise NotSentError("reset-before-write")
    try:
        if len(body) <= _ONE_WRITE:
            wire.send_all(head + body)
        else:
            wire.send_all(head)
            wire.send_all(body)
    except OSError as error:
        if not wire.bytes_may_have_left:
            code = "deadline-over" if isinstance(error, TimeoutError) else "reset-before-write"
            raise NotSentError(code) from None
        if isinstance(error, TimeoutError):
            raise NoAnswerError("deadline", "while writing") from None
        # the server may have answered ("too large") and closed before it took everything
        return False
    return True


def _read_head(wire: Wire, response: HTTPResponse) -> None:
    try:
        response.begin()
    except TimeoutError:
        raise NoAnswerError("deadline", "no answer in time") from None
    except RemoteDisconnected:
        raise NoAnswerError("closed", "closed without an answer") from None
    except OSError as error:
        raise NoAnswerError("reset", str(error.strerror or error)) from None
    except (HTTPException, ValueError) as error:
        raise NoAnswerError("bad-response", f"{type(error).__name__}: {error}"[:200]) from None
    if wire.ended:
        # http.client takes the end of the connection for the end of the headers; what was to come is not known
        raise NoAnswerError("closed", "closed within the headers")
    if response.status < _FINAL:
        raise NoAnswerError("bad-response", f"status {response.status}")


def _headers(response: HTTPResponse) -> dict[str, str]:
    headers: dict[str, str] = {}
    for name, value in response.getheaders():
        key = name.lower()
        headers[key] = f"{headers[key]}, {value}" if key in headers else value
    return headers

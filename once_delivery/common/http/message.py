"""A request and what came back, as data; a request as bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

import idna

from once_delivery.common.http.errors import NotSentError

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_TARGET = re.compile(r"/[!-~]*")
_HOST = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
_OURS = frozenset(
    {"host", "content-length", "transfer-encoding", "connection", "upgrade", "expect", "te", "trailer"}
)
_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
_PORTS = {"http": 80, "https": 443}

USER_AGENT = "once-delivery/0.1"
BODY_CAP = 10 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request. ``deadline_s`` is for the whole of it: name, connection, TLS, writing, reading."""

    method: str
    url: str
    deadline_s: float
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes = field(default=b"", repr=False)
    body_cap: int = BODY_CAP


@dataclass(frozen=True, slots=True)
class HttpResult:
    """What the server answered. ``headers`` have lower-case names.

    ``cut`` says why ``body`` is not all that was meant: truncated, deadline, body-too-large, bad-encoding.
    ``sent_whole`` is false when the server answered before it had taken the whole request.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str
    cut: str = ""
    sent_whole: bool = True


@dataclass(frozen=True, slots=True)
class Origin:
    """Whom a connection is for."""

    scheme: str
    host: str
    port: int

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


@lru_cache(maxsize=256)
def parse_url(url: str) -> tuple[Origin, str]:
    """Whom to dial and what to ask for; raises NotSentError. There is one parser, so no two can disagree."""
    try:
        parts = urlsplit(url)
        port = parts.port
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        raise NotSentError("bad-url", "not an address") from None
    if parts.scheme not in _PORTS:
        raise NotSentError("bad-url", "only http and https")
    if parts.username is not None or parts.password is not None:
        raise NotSentError("bad-url", "credentials do not belong into an address")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    # urlsplit drops tabs and line ends in silence
    if not _TARGET.fullmatch(target) or any(char <= " " for char in url):
        raise NotSentError("bad-url", "unescaped characters")
    return Origin(parts.scheme, _host(host), _PORTS[parts.scheme] if port is None else port), target


def _host(host: str) -> str:
    try:
        return str(ip_address(host))
    except ValueError:
        pass
    try:
        ascii_host = host if host.isascii() else idna.encode(host, uts46=True).decode("ascii")
    except idna.IDNAError:
        raise NotSentError("bad-url", "not a host name") from None
    if not _HOST.fullmatch(ascii_host):
        raise NotSentError("bad-url", "not a host name")
    return ascii_host


def encode_head(request: HttpRequest, origin: Origin, target: str) -> bytes:
    """The request line and headers; raises NotSentError for what would not be one clean request."""
    if not _TOKEN.fullmatch(request.method):
        raise NotSentError("bad-request", "method")
    lines = [f"{request.method} {target} HTTP/1.1", f"Host: {origin.authority}"]
    given = {"user-agent": USER_AGENT, "accept-encoding": "gzip"}
    for name, value in request.headers.items():
        if not _TOKEN.fullmatch(name) or name.lower() in _OURS or not _VALUE.fullmatch(value):
            raise NotSentError("bad-request", f"header {name[:40]!r}")
        given.pop(name.lower(), None)
        lines.append(f"{name}: {value}")
    lines += [f"{name}: {value}" for name, value in given.items()]
    if request.body or request.method in _WITH_BODY:
        lines.append(f"Content-Length: {len(request.body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1")

"""The head of a request: read as strictly as possible, since whoever reads it otherwise could be led elsewhere. Pure.

h11 parses; what it bears for old clients' sake (bare LF, folded lines, a length beside chunks) is refused before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

import h11

from once_delivery.vendor_drill.proxy.limits import Limits

Headers = list[tuple[bytes, bytes]]

_HOP_BY_HOP = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-connection",
        b"proxy-authorization",
        b"proxy-authenticate",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
        b"expect",
    }
)
PACKINGS = frozenset({b"gzip", b"x-gzip", b"deflate", b"identity"})
_LINE = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+ [\x21-\x7e]+ HTTP/1\.[01]")
_SECRET = re.compile(rb"[A-Za-z0-9_-]{20,100}")
_HOST = re.compile(rb"[A-Za-z0-9._:\[\]-]{1,255}")
_DECODINGS = 5  # what is encoded more often than this is no path


class RefusedError(Exception):
    """The request is not passed on. ``code`` is stable; the connection is closed afterwards."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(code)
        self.status = status
        self.code = code


@dataclass(frozen=True, slots=True)
class Head:
    """``rest``: what follows the secret, with its query, as it came; "" or beginning with ``/``, ``?``."""

    method: str
    secret: str
    rest: str
    headers: Headers
    version: bytes
    framed_by: bytes  # the length, ``chunked``, or nothing

    @property
    def host(self) -> str:
        """By which name the proxy was called; "" when it is none."""
        given = next(iter(_all(self.headers, b"host")), b"")
        return given.decode("ascii") if _HOST.fullmatch(given) else ""


def check_raw(raw: bytes, limits: Limits) -> None:
    """Nothing that two readers could read in two ways; raises RefusedError."""
    lines = raw.removesuffix(b"\r\n\r\n").split(b"\r\n")
    if any(byte in line for line in lines for byte in (b"\n", b"\r", b"\0")):
        raise RefusedError(400, "bare-line-end")
    if not _LINE.fullmatch(lines[0]):
        raise RefusedError(400, "bad-request-line")
    if any(line[:1] in {b" ", b"\t", b""} for line in lines[1:]):
        raise RefusedError(400, "folded-header")
    if len(lines) - 1 > limits.headers:
        raise RefusedError(431, "too-many-headers")
    # counted here: h11 makes one of two that are alike
    names = [line.partition(b":")[0].strip().lower() for line in lines[1:]]
    if sum(name in {b"content-length", b"transfer-encoding"} for name in names) > 1:
        raise RefusedError(400, "two-lengths")
    if names.count(b"host") > 1:
        raise RefusedError(400, "two-hosts")


def parsed(request: h11.Request) -> Head:
    """The request that h11 has read; raises RefusedError for what a reverse proxy must not do."""
    headers: Headers = list(request.headers.raw_items())
    if request.method == b"CONNECT":
        raise RefusedError(405, "no-tunnel")
    if _all(headers, b"upgrade") or b"upgrade" in _tokens(_all(headers, b"connection")):
        raise RefusedError(501, "no-upgrade")
    secret, rest = _split(request.target)
    return Head(
        request.method.decode("ascii"),
        secret,
        rest,
        headers,
        request.http_version,
        _framing(headers, request),
    )


def _framing(headers: Headers, request: h11.Request) -> bytes:
    lengths, encodings = _all(headers, b"content-length"), _all(headers, b"transfer-encoding")
    if encodings and (request.http_version != b"1.1" or encodings[0].strip().lower() != b"chunked"):
        raise RefusedError(400, "bad-encoding")
    if lengths and not lengths[0].isdigit():
        raise RefusedError(400, "bad-length")
    return b"chunked" if encodings else (lengths[0] if lengths else b"")


def _split(target: bytes) -> tuple[str, str]:
    """``/<secret>/posts?x=1`` → the secret and ``/posts?x=1``."""
    if not target.startswith(b"/"):
        raise RefusedError(400, "not-a-path")  # absolute-form, authority-form and *
    if b"#" in target:
        raise RefusedError(400, "bad-path")
    path, mark, query = target.partition(b"?")
    secret, slash, below = path[1:].partition(b"/")
    if not _SECRET.fullmatch(secret):
        raise RefusedError(404, "not-found")
    _check_path(below)
    return secret.decode("ascii"), (slash + below + mark + query).decode("ascii")


def _check_path(path: bytes) -> None:
    """No step up, in whatever encoding, and nothing that ends a line."""
    for _ in range(_DECODINGS):
        steps = (step.partition(b";")[0].strip() for step in re.split(rb"[/\\]", path))
        if any(step in {b".", b".."} for step in steps) or re.search(rb"[\x00-\x1f\x7f]", path):
            raise RefusedError(400, "path-leaves")
        decoded = unquote_to_bytes(path)
        if decoded == path:
            return
        path = decoded
    raise RefusedError(400, "path-leaves")


def upstream_headers(head: Head, host: str) -> Headers:
    """What the target is sent: as it came, under its own name, without what concerns this connection alone."""
    dropped = _HOP_BY_HOP | _tokens(_all(head.headers, b"connection")) | {b"host", b"content-length"}
    kept = [
        (name, _legible(value) if name.lower() == b"accept-encoding" else value)
        for name, value in head.headers
        if name.lower() not in dropped
    ]
    if head.framed_by == b"chunked":
        kept.append((b"Transfer-Encoding", b"chunked"))
    elif head.framed_by:
        kept.append((b"Content-Length", head.framed_by))
    return [(b"Host", host.encode("ascii")), *kept]


def _legible(accepted: bytes) -> bytes:
    """Of the packings that the caller takes those that the proxy can read too: else it could not see what is shown."""
    offered = [one.strip() for one in accepted.split(b",")]
    return (
        b", ".join(one for one in offered if one.partition(b";")[0].strip().lower() in PACKINGS)
        or b"identity"
    )


def caller_headers(headers: Headers) -> Headers:
    """What the caller is given of an answer; the framing is h11's to write anew where it must."""
    listed = _tokens(_all(headers, b"connection"))
    dropped = (_HOP_BY_HOP | listed) - {b"proxy-authenticate", b"transfer-encoding"}
    return [(name, value) for name, value in headers if name.lower() not in dropped]


def _all(headers: Headers, name: bytes) -> list[bytes]:
    return [value for key, value in headers if key.lower() == name]


def _tokens(values: list[bytes]) -> frozenset[bytes]:
    return frozenset(
        token.strip().lower() for value in values for token in value.split(b",") if token.strip()
    )

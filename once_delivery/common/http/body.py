"""Read a body to its end within a size, and unpack it within the same size."""

from __future__ import annotations

import zlib
from http.client import HTTPException, HTTPResponse

_CHUNK = 64 * 1024
_WINDOW = {"gzip": 16 + zlib.MAX_WBITS, "x-gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}
_PLAIN = {"", "identity"}


def read_body(response: HTTPResponse, cap: int) -> tuple[bytes, str]:
    """What came of the body, and why that is not all of it: a code, or nothing when it is whole."""
    if response.length is not None and response.length > cap:
        return b"", "body-too-large"
    parts: list[bytes] = []
    size = 0
    try:
        while response.length != 0:
            part = response.read1(_CHUNK)
            if not part:
                break
            size += len(part)
            if size > cap:
                return b"".join(parts), "body-too-large"
            parts.append(part)
    except TimeoutError:
        return b"".join(parts), "deadline"
    except (OSError, HTTPException):
        return b"".join(parts), "truncated"
    return b"".join(parts), "truncated" if response.length else ""


def unpack(body: bytes, encoding: str, cap: int) -> tuple[bytes, str]:
    """``body`` without its Content-Encoding, and a code as in :func:`read_body`."""
    encoding = encoding.strip().lower()
    if encoding in _PLAIN or not body:
        return body, ""
    if encoding not in _WINDOW:
        return b"", "bad-encoding"
    try:
        return _inflate(body, _WINDOW[encoding], cap)
    except zlib.error:
        pass
    try:
        # some servers call a bare deflate stream "deflate"
        return _inflate(body, -zlib.MAX_WBITS, cap) if encoding == "deflate" else (b"", "bad-encoding")
    except zlib.error:
        return b"", "bad-encoding"


def _inflate(body: bytes, window: int, cap: int) -> tuple[bytes, str]:
    plain = bytearray()
    while body:
        stream = zlib.decompressobj(window)
        plain += stream.decompress(body, cap + 1 - len(plain))
        if len(plain) > cap:
            return b"", "body-too-large"
        if not stream.eof:
            return bytes(plain), "truncated"
        body = stream.unused_data
    return bytes(plain), ""

"""HTTP/1.1 as bytes: what came in. Written by hand because a server that must lie needs the raw socket."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote

from once_delivery.sandbox import clock
from once_delivery.sandbox.errors import ApiError

MAX_BODY = 32 * 1024 * 1024
MAX_HEAD = 64 * 1024
_IDLE_S = 120.0
_BODY_S = 300.0
_WORDS = 3
_DIGITS = 15
_PARAMETERS = 50
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


@dataclass(slots=True)
class Request:
    """One request, read whole. Header names are in lower case."""

    method: str
    path: str
    segments: tuple[str, ...]
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes
    started: float
    keep_alive: bool


async def read_request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Request | None:
    """The next request of a connection, or None when the peer has nothing more to say.

    Raises ApiError for what cannot be answered sensibly; the connection must be closed after it.
    """
    try:
        async with asyncio.timeout(_IDLE_S):
            head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, TimeoutError, ConnectionError):
        return None
    except asyncio.LimitOverrunError:
        raise ApiError(431, "head_too_large", "the request head is over 64 KB") from None
    started = clock.now()
    method, target, version, headers = _parse_head(head)
    if "100-continue" in headers.get("expect", "").lower() and _length(headers) <= MAX_BODY:
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    try:
        async with asyncio.timeout(_BODY_S):
            body = await _read_body(reader, headers)
    except (asyncio.IncompleteReadError, TimeoutError, ConnectionError):
        return None
    path, _, query = target.partition("?")
    connection = headers.get("connection", "").lower()
    return Request(
        method=method,
        path=target,
        segments=tuple(_decode(part) for part in path.split("/")[1:]),
        query=_query(query) if query else {},
        headers=headers,
        body=body,
        started=started,
        keep_alive="close" not in connection and (version == "HTTP/1.1" or "keep-alive" in connection),
    )


def _parse_head(head: bytes) -> tuple[str, str, str, dict[str, str]]:
    if b"\0" in head:
        raise ApiError(400, "bad_request", "NUL byte in the request head")
    lines = head[:-4].decode("latin-1").split("\r\n")
    words = lines[0].split(" ")
    if len(words) != _WORDS or not words[2].startswith("HTTP/1.") or not words[1].startswith("/"):
        raise ApiError(400, "bad_request", "the request line is not HTTP/1.1 with a path")
    if words[0] not in _METHODS:
        raise ApiError(501, "unknown_method", "this method is not known here")
    headers: dict[str, str] = {}
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        name = name.lower()
        if not colon or not name or name != name.strip() or (name in headers and name == "content-length"):
            raise ApiError(400, "bad_request", "a header line is malformed")
        headers[name] = value.strip()
    return words[0], words[1], words[2], headers


def _length(headers: dict[str, str]) -> int:
    text = headers.get("content-length", "0")
    if not text.isascii() or not text.isdigit() or len(text) > _DIGITS:
        raise ApiError(400, "bad_request", "Content-Length is not a number")
    return int(text)


async def _read_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if "transfer-encoding" in headers:
        if headers["transfer-encoding"].lower() != "chunked" or "content-length" in headers:
            raise ApiError(400, "bad_request", "only chunked transfer without Content-Length is understood")
        return await _read_chunks(reader)
    length = _length(headers)
    if length > MAX_BODY:
        raise ApiError(413, "too_large", "the body is over 32 MB")
    return await reader.readexactly(length) if length else b""


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    body = bytearray()
    while True:
        line = (await reader.readuntil(b"\r\n")).split(b";")[0].strip()
        try:
            size = int(line, 16)
        except ValueError:
            raise ApiError(400, "bad_request", "a chunk has no size") from None
        if size < 0 or len(body) + size > MAX_BODY:
            raise ApiError(413, "too_large", "the body is over 32 MB")
        if size == 0:
            while await reader.readuntil(b"\r\n") != b"\r\n":
                pass
            return bytes(body)
        body += await reader.readexactly(size)
        await reader.readexactly(2)


def _query(text: str) -> dict[str, str]:
    try:
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=_PARAMETERS, errors="strict")
    except ValueError:
        raise ApiError(400, "bad_request", "the query is not UTF-8 or has too many parts") from None
    if "\0" in "".join(value for _, value in pairs):
        raise ApiError(400, "bad_request", "NUL byte in the query")
    return dict(pairs)


def _decode(part: str) -> str:
    try:
        text = unquote(part, errors="strict") if "%" in part else part
    except UnicodeDecodeError:
        raise ApiError(400, "bad_request", "the path is not UTF-8") from None
    if "\0" in text:
        raise ApiError(400, "bad_request", "NUL byte in the path")
    return text

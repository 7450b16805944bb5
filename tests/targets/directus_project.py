"""A Directus that answers as 11.17.4 was seen to."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from once_delivery.targets.base import (
    Answer,
    Connection,
    EffectRequest,
    FileBytes,
    Kind,
    Look,
    LookUpRequest,
    Original,
)
from once_delivery.targets.directus.connector import DirectusConnector, connect
from tests.fakes.scripted_server import ScriptedServer, answered, serving

MARKER, OTHER = "once-aaaaaaaaaaaaaaaaaaaaaaaaaa", "once-bbbbbbbbbbbbbbbbbbbbbbbbbb"
OUR_ID, OTHER_ID = "8f0c2f6e-0000-5000-8000-000000000001", "8f0c2f6e-0000-5000-8000-000000000002"
TOKEN = "very-secret-static-token"
DECLARATION = {"collection": "articles", "fields": {"featured_media": "image"}}
BY_MARKER = {**DECLARATION, "client_id": False}
DATE = "2026-11-29T20:39:22.200Z"
CREATED, UPDATED = f"created {DATE}", f"updated {DATE}"
HTML = answered("<html>502 Bad Gateway</html>", 502, content_type="text/html")


def item(marker: str | None = MARKER, **more: Any) -> dict[str, Any]:
    return {
        "id": OUR_ID, "external_ref": marker, "status": "draft", "title": "Kessel", "body": "<p>x</p>",
        "image": None, "date_created": DATE, "date_updated": None, **more,
    }  # fmt: skip


def file_row(marker: str | None = MARKER, **more: Any) -> dict[str, Any]:
    dates = {"created_on": DATE, "modified_on": DATE}
    return {"id": OUR_ID, "external_ref": marker, "title": "kettle.png", "filesize": "74", **dates, **more}


def data(*items: dict[str, Any], count: int | None = None) -> bytes:
    return answered({"data": list(items), "meta": {"filter_count": len(items) if count is None else count}})


def error(code: str, status: int = 400, /, message: str = "…", **more: Any) -> bytes:
    extensions = {"code": code, **more}
    return answered({"errors": [{"message": message, "extensions": extensions}]}, status)


def rights(access: str = "full", fields: Any = ("*",), *, of: str = "articles") -> bytes:
    return answered({"data": {of: {"read": {"access": access, "fields": list(fields)}}}})


FORBIDDEN = error("FORBIDDEN", 403)
UNAUTHORIZED = error("INVALID_CREDENTIALS", 401)


@contextlib.contextmanager
def project(*answers: Any, declaration: Any = None) -> Iterator[tuple[DirectusConnector, ScriptedServer]]:
    with serving(*answers) as server:
        connection = Connection(server.url, declaration or DECLARATION, {"token": TOKEN}, allow_inside=True)
        connector = connect(connection)
        try:
            yield connector, server
        finally:
            connector.close()


def perform(
    answer: bytes,
    *,
    kind: Kind = Kind.CREATE_DRAFT,
    declaration: Any = None,
    original: Original | None = None,
    client_id: str = OUR_ID,
    **payload: Any,
) -> tuple[Answer, Any]:
    content = {"title": "Kessel", "body": "<p>x</p>", "file": {"sha256": "f"}, **payload}
    files = {"f": FileBytes("kettle.png", "image/png", "f", b"PNG")}
    request = EffectRequest(kind, MARKER, client_id, "", content, 2, files, original=original)
    with project(answer, declaration=declaration) as (connector, server):
        said = connector.perform(request)
        return said, server.requests[0] if server.requests else None


def look(*answers: bytes, kind: Kind = Kind.CREATE_DRAFT, declaration: Any = None) -> Look:
    with project(*answers, declaration=declaration) as (connector, _):
        return connector.look_up(LookUpRequest(kind, MARKER, OUR_ID, 2))

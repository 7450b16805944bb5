"""Ghost's answers as they were captured from 6.65.0."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from once_delivery.targets.base import (
    Answer,
    Connection,
    EffectRequest,
    Kind,
    Look,
    LookUpRequest,
    Original,
)
from once_delivery.targets.ghost.connector import GhostConnector, connect
from tests.fakes.scripted_server import ScriptedServer, answered, serving

MARKER = "once-aaaaaaaaaaaaaaaaaaaaaaaaaa"
OTHER = "once-bbbbbbbbbbbbbbbbbbbbbbbbbb"
KEY_ID, SECRET = "6b0c8d1f2251370ad152d10a", "5e" * 32
SITE = "https://shop.example"
ID = "6b0c8d2f2251370ad152d12f"
DATE = {"Date": "Sun, 29 Nov 2026 20:38:40 GMT"}
STATE = "2026-11-29T20:38:07.000Z"
ME = answered({"users": [{"id": "6b0c8d1f2251370ad152d109", "roles": [{"name": "Contributor"}]}]})
HTML = answered("<!doctype html><title>502</title>", 502, content_type="text/html")


def post(marker: str | None = MARKER, **more: Any) -> dict[str, Any]:
    made = {
        "id": ID,
        "title": "Kessel",
        "slug": marker or "by-hand",
        "canonical_url": f"{SITE}/{marker}/" if marker else None,
        "status": "draft",
        "visibility": "public",
        "created_at": STATE,
        "updated_at": STATE,
        "html": "<p>x</p>",
        "lexical": "{}",
        "custom_excerpt": None,
        "feature_image": None,
        "feature_image_alt": None,
    }
    return made | more


def listed(*posts: dict[str, Any], total: int | None = None) -> bytes:
    pagination = {"total": len(posts) if total is None else total}
    return answered({"posts": list(posts), "meta": {"pagination": pagination}}, headers=DATE)


def error(status: int, message: str = "…", code: str | None = None, context: str | None = None) -> bytes:
    said = {"message": message, "code": code, "context": context, "type": "Error"}
    return answered({"errors": [said]}, status, headers=DATE)


SUSPENDED = error(404, "Resource could not be found.")
NO_USER = error(404, "Resource not found error, cannot read user.", context="User not found.")
UNKNOWN_KEY = error(401, "Unknown Admin API Key", "UNKNOWN_ADMIN_API_KEY")


@contextlib.contextmanager
def site(
    *answers: Any, declaration: Any = None, at_home: bool = False
) -> Iterator[tuple[GhostConnector, ScriptedServer]]:
    """``at_home``: the site's own address is the server's."""
    with serving(*answers) as server:
        declared = {"site_url": server.url if at_home else SITE, **(declaration or {})}
        credentials = {"admin_api_key": f"{KEY_ID}:{SECRET}"}
        connector = connect(Connection(server.url, declared, credentials, allow_inside=True))
        try:
            yield connector, server
        finally:
            connector.close()


def perform(*answers: bytes, declaration: Any = None, **payload: Any) -> tuple[Answer, list[Any]]:
    content = {"title": "Kessel", "body": "<p>x</p>", **payload}
    with site(*answers, declaration=declaration) as (connector, server):
        said = connector.perform(EffectRequest(Kind.CREATE_DRAFT, MARKER, "", "", content, 2))
        return said, server.requests


def look(*answers: bytes, **payload: Any) -> Look:
    with site(*answers) as (connector, _):
        return connector.look_up(LookUpRequest(Kind.CREATE_DRAFT, MARKER, "", 2, payload=payload))


def original(**more: Any) -> Original:
    """What we saw last; its version is what a read of this post shows."""
    with site(listed(post(**more))) as (connector, _):
        (found,) = connector.read(kind=Kind.CREATE_DRAFT, result_id=ID, deadline_s=2).objects
    return Original(ID, MARKER, found.version)


def update(before: Original, *answers: bytes, **payload: Any) -> tuple[Answer, list[Any]]:
    content = {"title": "Kessel 2", "body": "<p>y</p>", **payload}
    request = EffectRequest(Kind.UPDATE_DRAFT, OTHER, "", "", content, 4, original=before)
    with site(*answers) as (connector, server):
        return connector.perform(request), server.requests

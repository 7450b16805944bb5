"""Strapi's answers as they were captured from 5.54.0, and connectors that are given them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

from once_delivery.targets.base import (
    Answer,
    Connection,
    EffectRequest,
    Kind,
    Look,
    LookUpRequest,
    Original,
)
from once_delivery.targets.strapi.connector import StrapiConnector, connect
from tests.fakes.scripted_server import ScriptedServer, answered, serving

MARKER = "once-aaaaaaaaaaaaaaaaaaaaaaaaaa"
OTHER = "once-bbbbbbbbbbbbbbbbbbbbbbbbbb"
TOKEN = "very-secret-token"
DECLARATION = {"content_type": "articles", "locales": {"de-DE": "de"}, "uid": "api::article.article"}
PLUGGED = {**DECLARATION, "plugin": True}
THEN = "2026-11-29T20:38:35.647Z"
HTML = answered("<!doctype html><title>Strapi Admin</title>", content_type="text/html")
DRAFT, FILE, UPDATE = Kind.CREATE_DRAFT, Kind.UPLOAD_FILE, Kind.UPDATE_DRAFT
CONTENT = {"title": "Kessel", "body": "x", "locale": "de-DE"}


def row(marker: str | None = MARKER, document: str = "doc-a", **more: Any) -> dict[str, Any]:
    """One language of a document."""
    return {
        "id": 1, "documentId": document, "title": "Kessel", "body": "x", "external_ref": marker,
        "createdAt": THEN, "updatedAt": THEN, "publishedAt": None, "locale": "de", **more,
    }  # fmt: skip


def live(marker: str | None = MARKER, document: str = "doc-a", **more: Any) -> dict[str, Any]:
    return row(marker, document, **{"publishedAt": THEN, "id": 2, **more})


def listed(*rows: dict[str, Any], total: int | None = None, limit: int = 100) -> bytes:
    pagination = {"start": 0, "limit": limit, "total": len(rows) if total is None else total}
    return answered({"data": list(rows), "meta": {"pagination": pagination}})


def made(item: Any) -> bytes:
    return answered({"data": item, "meta": {}}, 201)


def refused(status: int, name: str = "ForbiddenError", code: str = "") -> bytes:
    error = {"status": status, "name": name, "message": name, "details": {"code": code} if code else {}}
    return answered({"data": None, "error": error}, status)


@contextlib.contextmanager
def site(*answers: Any, declaration: Any = None) -> Iterator[tuple[StrapiConnector, ScriptedServer]]:
    with serving(*answers) as server:
        connection = Connection(server.url, declaration or DECLARATION, {"token": TOKEN}, allow_inside=True)
        connector = connect(connection)
        try:
            yield connector, server
        finally:
            connector.close()


def perform(answer: bytes, *, declaration: Any = None, **payload: Any) -> tuple[Answer, Any]:
    request = EffectRequest(DRAFT, MARKER, "", "", {**CONTENT, **payload}, 2)
    with site(answer, declaration=declaration) as (connector, server):
        said = connector.perform(request)
        return said, server.requests[0] if server.requests else None


def update(*answers: bytes, declaration: Any = None, version: str = THEN) -> tuple[Answer, list[Any]]:
    original = Original("doc-a", MARKER, version)
    request = EffectRequest(UPDATE, OTHER, "", "", {**CONTENT, "title": "Neu"}, 2, original=original)
    with site(*answers, declaration=declaration) as (connector, server):
        return connector.perform(request), server.requests


def look(*answers: bytes, kind: Kind = DRAFT, declaration: Any = None, **payload: Any) -> Look:
    with site(*answers, declaration=declaration) as (connector, _):
        return connector.look_up(LookUpRequest(kind, MARKER, "", 2, payload=payload))


def query(target: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(target).query).items()}


def stored(marker: str = MARKER, **more: Any) -> dict[str, Any]:
    hash_ = marker.replace("-", "_") + "_d55a7651c1"
    return {"id": 7, "name": f"{marker}.png", "hash": hash_, "url": f"/uploads/{hash_}.png", **more}

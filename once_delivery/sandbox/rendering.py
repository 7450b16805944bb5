"""Objects as the content API and the administrator see them."""

from __future__ import annotations

from typing import Any

from once_delivery.sandbox import clock
from once_delivery.sandbox.objects import Stored
from once_delivery.sandbox.settings import Settings


def as_content(stored: Stored, settings: Settings, base_url: str) -> dict[str, Any]:
    """What the target answers to its callers."""
    document: dict[str, Any] = {
        "id": stored.id,
        "kind": stored.kind,
        "marker": stored.marker,
        "url": f"{base_url}/spaces/{stored.space}/view/{stored.kind}/{stored.id}",
        "status": stored.status,
        "version": stored.version,
        "serial": stored.serial,
        "created_at": clock.iso(stored.created_at),
        "updated_at": clock.iso(stored.updated_at),
    }
    if not settings.echo_marker:
        del document["marker"]
    if stored.kind == "uploads":
        document["url"] = f"{base_url}/spaces/{stored.space}/files/{stored.id}"
    if stored.kind == "jobs":
        document["state"] = stored.status
    return {**stored.doc, **document}


def as_truth(stored: Stored) -> dict[str, Any]:
    """What the inventory says: every object, whatever its status and however new."""
    return {
        "id": stored.id,
        "kind": stored.kind,
        "marker": stored.marker,
        "title": stored.doc.get("title") or stored.doc.get("filename"),
        "locale": stored.doc.get("locale"),
        "product": stored.doc.get("product"),
        "status": stored.status,
        "version": stored.version,
        "created_at": clock.iso(stored.created_at),
        "updated_at": clock.iso(stored.updated_at),
        "content_sha256": stored.content_sha256,
        "deleted_at": clock.iso(stored.deleted_at),
        "made_by": stored.made_by,
    }


def etag(stored: Stored) -> tuple[str, str]:
    """The ETag header: the version in quotes."""
    return ("ETag", f'"{stored.version}"')

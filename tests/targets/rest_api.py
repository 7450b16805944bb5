"""A small declared API, and a connector for it that speaks to a scripted server."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator, Mapping
from typing import Any

from once_delivery.targets.base import Connection, EffectRequest, Kind, LookUpRequest
from once_delivery.targets.rest.connector import RestConnector, connect
from tests.fakes.scripted_server import Answer, ScriptedServer, answered, serving

MARKER = "once-aaaaaaaaaaaaaaaaaaaaaaaaaa"
CLIENT_ID = "6626a27f-79c1-545a-8f6d-f941d42ce3e9"
TOKEN = "very-secret-token-1"

DECLARATION: dict[str, Any] = {
    "auth": {"scheme": "bearer", "credential": "token"},
    "idempotency_header": "Idempotency-Key",
    "exists": [{"status": 409, "pointer": "/error/code", "equals": "already_exists", "id": "/error/id"}],
    "kinds": {
        "create_draft": {
            "create": {
                "method": "POST",
                "path": "/drafts",
                "body": {"title": "{{payload.title}}", "image": "{{payload.image?}}", "marker": "{{marker}}"},
            },
            "object": {
                "id": "/id", "marker": "/marker", "url": "/url", "status": "/status", "title": "/title",
                "created_at": "/created_at", "content_hash": "/hash",
                "trashed": {"pointer": "/status", "in": ["trash"]},
            },
            "read": {"path": "/drafts/{{result_id}}", "not_found_is_absent": True},
            "look_up": {
                "path": "/drafts",
                "query": {"marker": "{{marker}}", "status": "any"},
                "items": "/items",
                "every_status": True,
            },
            "list": {"path": "/drafts", "query": {"status": "any"}, "items": "/items", "every_status": True},
        }
    },
}  # fmt: skip


def declared(changes: Mapping[str, Any] | None = None, **of_kind: Any) -> dict[str, Any]:
    """The declaration with other top-level parts, and with other parts of its kind (None takes one away)."""
    declaration = copy.deepcopy(DECLARATION)
    declaration.update(changes or {})
    kind = declaration["kinds"]["create_draft"]
    for name, part in of_kind.items():
        if part is None:
            kind.pop(name)
        elif isinstance(part, dict):
            kind[name] = {**kind.get(name, {}), **part}
    return declaration


def request(payload: Mapping[str, Any] | None = None, **more: Any) -> EffectRequest:
    values: dict[str, Any] = {
        "marker": MARKER,
        "client_id": CLIENT_ID,
        "idempotency_key": f"{MARKER}-2",
        "deadline_s": 2,
    }
    return EffectRequest(
        kind=Kind.CREATE_DRAFT, payload=payload or {"title": "Titel 😀"}, **{**values, **more}
    )


def wanted(**more: Any) -> LookUpRequest:
    values: dict[str, Any] = {"marker": MARKER, "client_id": CLIENT_ID, "deadline_s": 2}
    return LookUpRequest(kind=Kind.CREATE_DRAFT, **{**values, **more})


def thing(**more: Any) -> dict[str, Any]:
    """An object of ours as the API tells it."""
    return {"id": "d1", "marker": MARKER, "url": "/view/d1", "status": "draft", **more}


def listed(*items: dict[str, Any], **more: Any) -> bytes:
    """A page of a list."""
    return answered({"items": list(items), **more})


@contextlib.contextmanager
def api(
    *answers: Answer | bytes,
    declaration: Mapping[str, Any] = DECLARATION,
    credentials: Mapping[str, str] | None = None,
) -> Iterator[tuple[RestConnector, ScriptedServer]]:
    with serving(*answers) as server:
        given = {"token": TOKEN} if credentials is None else credentials
        connector = connect(Connection(f"{server.url}/api/", declaration, given, allow_inside=True))
        try:
            yield connector, server
        finally:
            connector.close()

"""The administrator's API: spaces, the truth about them, faults, and an editor's hand."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Any

from once_delivery.sandbox import clock, content, drafting
from once_delivery.sandbox.answers import Answer, json_answer
from once_delivery.sandbox.app import App
from once_delivery.sandbox.bodies import read_object
from once_delivery.sandbox.errors import ApiError
from once_delivery.sandbox.objects import KINDS, Stored
from once_delivery.sandbox.rendering import as_truth
from once_delivery.sandbox.settings import Settings
from once_delivery.sandbox.spaces import Space
from once_delivery.sandbox.wire import Request

_SEQ_DIGITS = 18
# an editor is nobody's account: publishing is theirs to do
_EDITOR = Settings(may_publish=True)


def answer(app: App, request: Request) -> Answer:
    """Everything under ``/admin``. Raises ApiError."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not hmac.compare_digest(
        token.strip().encode(), app.admin_token.encode()
    ):
        raise ApiError(401, "wrong_token", "the administrator's token is needed")
    match request.segments[1:]:
        case ("spaces",) if request.method == "GET":
            return json_answer({"spaces": [_summary(app, space) for space in app.spaces.listing()]})
        case ("spaces", name):
            return _space(app, request, name)
        case ("spaces", name, "objects", *rest):
            return _by_hand(app, app.spaces.get(name), request, rest)
        case ("spaces", name, what):
            return _part(app, app.spaces.get(name), request, what)
    raise ApiError(404, "not_found", "there is nothing at this path")


def _summary(app: App, space: Space) -> dict[str, Any]:
    return {
        **space.as_json(),
        "objects": app.objects.counts().get(space.name, {}),
        "create_calls": space.create_calls,
    }


def _space(app: App, request: Request, name: str) -> Answer:
    if request.method == "PUT":
        space = app.spaces.put(name, read_object(request.body) if request.body else {})
        app.objects.protect_markers(name, unique=space.settings.keeps_markers_unique)
        return json_answer(space.as_json())
    if request.method == "GET":
        return json_answer(_summary(app, app.spaces.get(name)))
    if request.method == "DELETE":
        app.spaces.get(name)
        app.faults.clear(name)
        app.spaces.drop(name)
        return Answer(204)
    raise ApiError(405, "wrong_method", "this path does not know this method")


def _part(app: App, space: Space, request: Request, what: str) -> Answer:
    parts: dict[tuple[str, str], Callable[[], Answer]] = {
        ("GET", "inventory"): lambda: json_answer(inventory(app, space)),
        ("GET", "log"): lambda: json_answer({"space": space.name, "calls": _calls(app, space, request)}),
        ("GET", "faults"): lambda: json_answer({"faults": app.faults.listing(space.name)}),
        ("POST", "faults"): lambda: json_answer(
            app.faults.add(space.name, read_object(request.body)).as_json(), status=201
        ),
        ("DELETE", "faults"): lambda: json_answer({"cleared": app.faults.clear(space.name)}),
    }
    part = parts.get((request.method, what))
    if part is None:
        raise ApiError(404, "not_found", "there is nothing at this path")
    return part()


def inventory(app: App, space: Space) -> dict[str, Any]:
    """The truth: what the space holds now, and what was deleted from it."""
    everything = app.objects.everything(space.name)
    return {
        "space": space.name,
        "counted_at": clock.iso(clock.now()),
        "objects": [as_truth(one) for one in everything if one.deleted_at is None],
        "deletions": [as_truth(one) for one in everything if one.deleted_at is not None],
    }


def _calls(app: App, space: Space, request: Request) -> list[dict[str, Any]]:
    after = request.query.get("after", "0")
    if not (after.isascii() and after.isdigit() and len(after) <= _SEQ_DIGITS):
        raise ApiError(400, "bad_query", "after is a sequence number", field="after")
    return app.calls.of_space(space.name, operation=request.query.get("operation"), after=int(after))


def _by_hand(app: App, space: Space, request: Request, rest: list[str]) -> Answer:
    """Somebody works in the CMS itself."""
    if request.method != "POST" or not rest or rest[0] not in KINDS or len(rest) not in (1, 3):
        raise ApiError(404, "not_found", "there is nothing at this path")
    document = read_object(request.body) if request.body else {}
    if len(rest) == 1:
        made = content.make_by_hand(app, space, rest[0], document)
        return json_answer(content.content_of(app, space, made), status=201)
    stored = app.objects.get(space.name, rest[0], rest[1])
    if stored is None:
        raise ApiError(404, "not_found", "there is no such object")
    _act(app, space, stored, rest[2], document)
    return json_answer(as_truth(stored))


def _act(app: App, space: Space, stored: Stored, deed: str, document: dict[str, Any]) -> None:
    if deed == "edit":
        draft = drafting.read_draft(stored.kind, {"marker": stored.marker, **document}, _EDITOR)
        content.change(app, space, stored, draft, merge=True)
        return
    if deed == "delete":
        stored.deleted_at = clock.now()
    elif deed in ("trash", "publish"):
        stored.status = "trash" if deed == "trash" else "published"
    else:
        raise ApiError(404, "not_found", "an editor can trash, delete, edit and publish")
    content.touch(app, space, stored)

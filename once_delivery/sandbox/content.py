"""Creating and changing objects: the part of the CMS that has effects."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from dataclasses import dataclass
from typing import Any

from once_delivery.sandbox import clock, drafting
from once_delivery.sandbox.answers import Answer, json_answer
from once_delivery.sandbox.app import App
from once_delivery.sandbox.errors import ApiError
from once_delivery.sandbox.objects import Stored
from once_delivery.sandbox.rendering import as_content, etag
from once_delivery.sandbox.spaces import Space
from once_delivery.sandbox.wire import Request

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~-]{0,127}")
_KEY = re.compile(r"[ -~]{1,255}")
_FIRST_STATUS = {"drafts": "draft", "uploads": "stored", "jobs": "queued"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """An answer, and what it did."""

    answer: Answer
    object_id: str | None = None
    created: bool = False
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Wish:
    """One well-formed request to the content API."""

    space: Space
    kind: str
    object_id: str | None
    document: dict[str, Any]
    request: Request

    @property
    def marker(self) -> str | None:
        """The marker in the body, if it is a text."""
        marker = self.document.get("marker")
        return marker if isinstance(marker, str) else None

    @property
    def key(self) -> str | None:
        """The idempotency key, where the space honours it."""
        return self.request.headers.get("idempotency-key") if self.space.settings.idempotency else None

    def fingerprint(self) -> str:
        """What must be the same under one idempotency key."""
        head = f"{self.request.method} {self.request.path}\n".encode()
        return hashlib.sha256(head + self.request.body).hexdigest()


def create(app: App, wish: Wish, *, holds_place: bool) -> Outcome:
    """Make one object, or say why not. ``holds_place``: this call itself is what is in flight."""
    settings = wish.space.settings
    _check_id(wish)
    draft = drafting.read_draft(wish.kind, wish.document, settings)
    if not holds_place:
        _check_in_flight(wish)
    if wish.key is not None:
        if not _KEY.fullmatch(wish.key):
            raise ApiError(422, "bad_key", "an idempotency key is 1 to 255 visible ASCII characters")
        replay = app.replays.find(
            wish.space.name, wish.key, wish.fingerprint(), window_s=settings.idempotency_window_s
        )
        if replay:
            return Outcome(replay.answer, replay.object_id, replayed=True)
    object_id = wish.object_id or ""
    if object_id and (existing := app.objects.get(wish.space.name, wish.kind, object_id)):
        if not settings.makes_second:
            return _replace(app, wish, existing, draft)
        object_id = ""
    made = _insert(app, wish.space, wish.kind, draft, object_id=object_id, made_by="api")
    answer = _created(app, wish, made)
    if wish.key is not None:
        app.replays.keep(wish.space.name, wish.key, wish.fingerprint(), answer, made.id)
    return Outcome(answer, made.id, created=True)


def _check_id(wish: Wish) -> None:
    if wish.object_id is None:
        return
    if not wish.space.settings.client_ids:
        raise ApiError(405, "not_supported", "this space does not let callers choose IDs")
    if not _ID.fullmatch(wish.object_id):
        raise ApiError(422, "bad_id", "an ID is up to 128 of letters, digits and . _ ~ -")


def _check_in_flight(wish: Wish) -> None:
    """Refused without an ID: nobody can know it yet."""
    busy_key = wish.key is not None and wish.key in wish.space.keys_in_flight
    if busy_key or (wish.marker is not None and (wish.kind, wish.marker) in wish.space.markers_in_flight):
        raise ApiError(409, "in_flight", "the first request is still being worked on")


def _replace(app: App, wish: Wish, existing: Stored, draft: drafting.Draft) -> Outcome:
    if wish.request.headers.get("if-none-match", "").strip() == "*":
        raise ApiError(412, "already_exists", "an object with this ID exists", id=existing.id)
    change(app, wish.space, existing, draft, merge=False)
    return Outcome(json_answer(content_of(app, wish.space, existing), headers=[etag(existing)]), existing.id)


def _insert(
    app: App, space: Space, kind: str, draft: drafting.Draft, *, object_id: str, made_by: str
) -> Stored:
    new = app.objects.new(space=space.name, kind=kind, object_id=object_id, made_by=made_by)
    new.marker = draft.marker
    new.status = draft.status or _FIRST_STATUS[kind]
    drafting.apply(new, draft, merge=False)
    if kind == "drafts" and made_by == "api" and space.settings.publishes_drafts:
        new.status = "published"
    if kind == "jobs":
        new.due_at = new.created_at + space.settings.job_seconds
    if kind == "uploads" and draft.data is None:
        raise ApiError(422, "bad_field", "an upload needs data", field="data")
    try:
        made = app.objects.insert(new, unique=space.settings.keeps_markers_unique, data=draft.data)
    except sqlite3.IntegrityError:
        raise _taken(app, space, kind, draft.marker) from None
    if made.due_at is not None:
        app.jobs.schedule(made.serial, made.due_at)
    return made


def make_by_hand(app: App, space: Space, kind: str, document: dict[str, Any]) -> Stored:
    """Somebody makes an object in the CMS itself; it is no create call of anybody's."""
    draft = drafting.read_draft(kind, document, space.settings)
    return _insert(app, space, kind, draft, object_id="", made_by="hand")


def _taken(app: App, space: Space, kind: str, marker: str | None) -> ApiError:
    holder = app.objects.holder_of(space.name, kind, marker) if marker else None
    error = ApiError(409, "already_exists", "an object with this marker exists")
    if holder and space.settings.conflict_names_id:
        error.more["id"] = holder.id
    return error


def _created(app: App, wish: Wish, made: Stored) -> Answer:
    status = 202 if wish.kind == "jobs" else 201
    location = ("Location", f"/spaces/{wish.space.name}/{wish.kind}/{made.id}")
    return json_answer(content_of(app, wish.space, made), status=status, headers=[location, etag(made)])


def content_of(app: App, space: Space, stored: Stored) -> dict[str, Any]:
    """The object as this space answers it."""
    return as_content(stored, space.settings, app.base_url)


def change(app: App, space: Space, stored: Stored, draft: drafting.Draft, *, merge: bool) -> None:
    """Write new content over an object and count up its version."""
    drafting.apply(stored, draft, merge=merge)
    stored.marker = draft.marker
    stored.status = draft.status or stored.status
    touch(app, space, stored, data=draft.data)


def touch(app: App, space: Space, stored: Stored, *, data: bytes | None = None) -> None:
    """Keep an object as it now stands, as its next version."""
    stored.version += 1
    stored.updated_at = clock.now()
    try:
        app.objects.update(stored, unique=space.settings.keeps_markers_unique, data=data)
    except sqlite3.IntegrityError:
        raise _taken(app, space, stored.kind, stored.marker) from None

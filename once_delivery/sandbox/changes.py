"""Changing and deleting what is there, if it still is the version that the caller saw."""

from __future__ import annotations

from once_delivery.sandbox import clock, drafting
from once_delivery.sandbox.answers import Answer, json_answer
from once_delivery.sandbox.app import App
from once_delivery.sandbox.content import Outcome, Wish, change, content_of, touch
from once_delivery.sandbox.errors import ApiError
from once_delivery.sandbox.objects import Stored
from once_delivery.sandbox.rendering import etag


def update(app: App, wish: Wish) -> Outcome:
    """PATCH changes the fields that are given; PUT with ``If-Match`` puts all of them anew, the marker too."""
    stored = _seen(app, wish)
    merge = wish.request.method == "PATCH"
    kept = {"marker": stored.marker} if merge else {}
    draft = drafting.read_draft(wish.kind, {**kept, **wish.document}, wish.space.settings)
    change(app, wish.space, stored, draft, merge=merge)
    return Outcome(json_answer(content_of(app, wish.space, stored), headers=[etag(stored)]), stored.id)


def remove(app: App, wish: Wish) -> Outcome:
    """Delete for good, trash or not: afterwards it is nowhere but in the truth's list of deletions."""
    if not wish.space.settings.may_delete:
        raise ApiError(403, "may_not_delete", "this account may write and not delete")
    stored = _seen(app, wish)
    stored.deleted_at = clock.now()
    touch(app, wish.space, stored)
    return Outcome(Answer(204), stored.id)


def _seen(app: App, wish: Wish) -> Stored:
    """The object, as the version that the caller means. Raises ApiError 404 or 412."""
    stored = app.objects.get(wish.space.name, wish.kind, wish.object_id or "")
    if stored is None:
        raise ApiError(404, "not_found", "there is no such object")
    expected = wish.request.headers.get("if-match", "*").strip().removeprefix("W/").strip('"')
    if expected not in ("*", str(stored.version)) and not wish.space.settings.ignores_if_match:
        raise ApiError(412, "version_mismatch", "the object has changed since", version=stored.version)
    return stored

"""From an action's content to the body of a create or an update; the same action always gives the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from once_delivery.targets.base import EffectRequest, Original
from once_delivery.targets.content import json_bytes, title_of
from once_delivery.targets.ghost.objects import updated_at_of
from once_delivery.targets.ghost.parameters import Parameters

_HTML = "html"
# an empty text is taken as "leave the body as it is", and one of spaces is refused
_NOTHING = "<p></p>"


def draft_body(parameters: Parameters, request: EffectRequest, author: str) -> bytes:
    """A draft: nothing in the payload can set its status, slug, date or author. ``author`` "": an integration's."""
    title_of(request.payload)
    post = _fields(parameters, request.payload) | {
        "status": "draft",
        "slug": request.marker,
        # the address that the post has until an editor chooses another slug
        "canonical_url": f"{parameters.site_url}/{request.marker}/",
    }
    if author:
        # a contributor may make drafts of their own alone, and must say so
        post["authors"] = [{"id": author}]
    return json_bytes({"posts": [post]})


def update_body(parameters: Parameters, request: EffectRequest, original: Original) -> bytes:
    """New content for the state that it was written for; slug, marker, status and author stay as they are."""
    title_of(request.payload)
    post = _fields(parameters, request.payload)
    return json_bytes({"posts": [{**post, "updated_at": updated_at_of(original.version)}]})


def _fields(parameters: Parameters, payload: Mapping[str, Any]) -> dict[str, Any]:
    post = {
        theirs: payload[ours] for ours, theirs in parameters.fields.items() if payload.get(ours) is not None
    }
    body = post.get(_HTML)
    if isinstance(body, str) and not body.strip():
        post[_HTML] = _NOTHING
    return post

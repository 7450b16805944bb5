"""From Ghost's JSON to a FoundObject, and whose it is."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from once_delivery.targets.base import FoundObject
from once_delivery.targets.ghost.parameters import Parameters
from once_delivery.targets.http_json.values import identifier, moment, plain_text

API = "/ghost/api/admin"
# statuses in which readers see a post, or will without anybody doing more
PUBLIC = frozenset({"published", "scheduled", "sent"})
# what is asked for, whatever is declared: a version must stay the same when a declaration changes
ASKED = (
    "id", "created_at", "updated_at", "html",
    "title", "lexical", "slug", "status", "canonical_url", "visibility", "featured", "custom_template",
    "custom_excerpt", "feature_image", "feature_image_alt", "feature_image_caption", "email_subject",
    "meta_title", "meta_description", "og_title", "og_description", "og_image",
    "twitter_title", "twitter_description", "twitter_image",
)  # fmt: skip
_IN_AN_ADDRESS = re.compile(r"/(once-[a-z2-7]{26})(?![a-z0-9-])")
# "-2" is Ghost's for a slug that is taken
_SLUG = re.compile(r"(once-[a-z2-7]{26})(?:-\d{1,9})?")
_NO_STATE = frozenset({"id", "created_at", "updated_at", "html"})  # html is made of lexical


def found_object(post: Mapping[str, Any], base_url: str) -> FoundObject:
    """A post of a list, or of the answer to an effect."""
    result_id = identifier(post.get("id"))
    return FoundObject(
        result_id=result_id,
        marker=marker_of(post),
        url=f"{base_url}/ghost/#/editor/post/{result_id}",
        status=plain_text(post.get("status")),
        title=plain_text(post.get("title")),
        created_at=moment(post.get("created_at")),
        updated_at=moment(post.get("updated_at")),
        content_hash=_content_hash(post),
        version=_version(post),
        place=result_id,
    )


def content_of(parameters: Parameters, post: Mapping[str, Any]) -> dict[str, str]:
    """What a person reads in it, by the names of our payload."""
    shown = {ours: post.get(theirs) for ours, theirs in parameters.fields.items()}
    return {ours: value or "" for ours, value in shown.items() if value is None or isinstance(value, str)}


def marker_of(post: Mapping[str, Any]) -> str | None:
    """What the canonical address says, else what the slug says."""
    address, slug = post.get("canonical_url"), post.get("slug")
    match = _IN_AN_ADDRESS.search(address) if isinstance(address, str) else None
    if match is None and isinstance(slug, str):
        match = _SLUG.fullmatch(slug)
    return match.group(1) if match else None


def updated_at_of(version: str) -> str:
    """The part of a version that Ghost compares."""
    return version.partition("/")[0]


def _version(post: Mapping[str, Any]) -> str:
    """``updated_at`` counts whole seconds, so that what stands there belongs to it."""
    updated_at = plain_text(post.get("updated_at"))
    if not updated_at or "lexical" not in post:
        return ""
    state = {name: post.get(name) for name in ASKED if name not in _NO_STATE}
    return f"{updated_at}/{_hash(state)[:24]}"


def _content_hash(post: Mapping[str, Any]) -> str:
    """Of what the site made of our content: it keeps no HTML, and gives back another one."""
    if "html" not in post:
        return ""
    return _hash({name: post.get(name) for name in ("title", "html", "custom_excerpt")})


def _hash(document: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(document, ensure_ascii=False, sort_keys=True).encode()).hexdigest()

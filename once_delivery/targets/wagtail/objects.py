"""From Wagtail's JSON to a FoundObject."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from once_delivery.targets.base import FoundObject
from once_delivery.targets.http_json.values import identifier, marker_text, moment, plain_text
from once_delivery.targets.wagtail.parameters import Parameters

PUBLISHED, DRAFT = "published", "draft"
# what a site that exposes it tells of the latest revision: to the microsecond, and another one after every save
SAVED = "latest_revision_created_at"


def found_page(parameters: Parameters, page: Mapping[str, Any], base_url: str) -> FoundObject:
    """A page of a list or of its own. Only the latter shows ``marker_field``; see :func:`shows_marker`."""
    meta = _meta(page)
    result_id = identifier(page.get("id"))
    marker = page.get(parameters.marker_field) if parameters.marker_field else meta.get("slug")
    return FoundObject(
        result_id=result_id,
        marker=marker_text(marker),
        # a draft has no public address that anybody could open
        url=f"{base_url}{parameters.admin_path}/pages/{result_id}/edit/",
        status=PUBLISHED if _is_live(page, meta) else DRAFT,
        title=plain_text(page.get("title")),
        created_at=moment(meta.get("first_published_at")),
        updated_at=moment(page.get(SAVED)),
        content_hash=_content_hash(page, parameters.fields.values()),
        version=plain_text(page.get(SAVED)),
    )


def found_image(parameters: Parameters, image: Mapping[str, Any], base_url: str) -> FoundObject:
    """An image, from a list or of its own."""
    address = _meta(image).get("download_url")
    url = address if isinstance(address, str) else ""
    return FoundObject(
        result_id=identifier(image.get("id")),
        marker=marker_text(image.get(parameters.image_marker_field or "")),
        url=f"{base_url}{url}" if url.startswith("/") else url,
        status="stored",
        title=plain_text(image.get("title")),
    )


def content_of(fields: Mapping[str, str], thing: Mapping[str, Any]) -> dict[str, str]:
    """What a person reads in a page or an image, by the names of our payload."""
    found = {}
    for ours, theirs in fields.items():
        value = thing.get(theirs)
        if value is None and theirs.endswith("_id"):
            other = thing.get(theirs.removesuffix("_id"))
            value = other.get("id") if isinstance(other, Mapping) else None
        if isinstance(value, str | int) and not isinstance(value, bool):
            found[ours] = str(value)
    return found


def shows_version(page: Mapping[str, Any]) -> bool:
    """Whether this answer tells when the page was saved."""
    return isinstance(page.get(SAVED), str)


def shows_marker(parameters: Parameters, page: Mapping[str, Any]) -> bool:
    """Whether this answer tells whose the page is (a site may have forgotten to expose the field)."""
    return (parameters.marker_field or "meta") in page


def _is_live(page: Mapping[str, Any], meta: Mapping[str, Any]) -> bool:
    live = page.get("live")
    return live if isinstance(live, bool) else bool(meta.get("first_published_at"))


def _meta(thing: Mapping[str, Any]) -> Mapping[str, Any]:
    meta = thing.get("meta")
    return meta if isinstance(meta, Mapping) else {}


def _content_hash(page: Mapping[str, Any], names: Any) -> str:
    """Of what the site made of our content: rich text comes back other than it was sent."""
    shown = {name: page[name] for name in names if name in page}
    return hashlib.sha256(json.dumps(shown, ensure_ascii=False, sort_keys=True).encode()).hexdigest()

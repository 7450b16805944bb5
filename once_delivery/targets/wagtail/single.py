"""One page or image by its ID, with its content and the version that an update is guarded by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from once_delivery.targets import updating
from once_delivery.targets.base import FoundObject, Kind, Look, LookUpRequest, Original, Verdict
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.reading import cannot_tell
from once_delivery.targets.wagtail.objects import (
    PUBLISHED,
    content_of,
    found_image,
    found_page,
    shows_marker,
    shows_version,
)
from once_delivery.targets.wagtail.reads import Looker

_METHOD = "id"


def read(looker: Looker, kind: Kind, result_id: str) -> Look:
    """FOUND with content and version; ABSENT when the account would have seen it."""
    try:
        found = _image(looker, result_id) if kind == Kind.UPLOAD_FILE else _page(looker, result_id)
    except CutError as doubt:
        return cannot_tell(_METHOD, doubt)
    if found is None:
        return Look(Verdict.ABSENT, _METHOD, complete=True)
    return Look(Verdict.FOUND, _METHOD, complete=True, objects=(found,))


def updated(looker: Looker, original: Original, payload: Mapping[str, Any]) -> Look:
    """Has this update been done?"""
    held = read(looker, Kind.CREATE_DRAFT, original.result_id)
    return updating.judged(held, original=original, payload=payload, public=(PUBLISHED,))


def look_up_update(looker: Looker, request: LookUpRequest) -> Look:
    """The same, for a request of the ledger."""
    if request.original is None:
        return Look(Verdict.CANNOT_TELL, "none", complete=False, code="no-original")
    return updated(looker, request.original, request.payload)


def _page(looker: Looker, result_id: str) -> FoundObject | None:
    page = looker.page(result_id)
    saved = ""
    if page is not None and not shows_version(page):
        # the version first: of a page that is saved in between it is too old then, never too new
        saved = looker.saved_at(result_id)
        page = looker.page(result_id)
    if page is None:
        looker.prove_sight()
        return None
    if not shows_marker(looker.parameters, page):
        raise CutError("marker-unreadable")
    found = found_page(looker.parameters, page, looker.base_url)
    return replace(
        found,
        marker=found.marker or "",  # shown, and empty: not ours
        version=found.version or saved,
        content=content_of(looker.parameters.fields, page),
    )


def _image(looker: Looker, result_id: str) -> FoundObject | None:
    image = looker.image(result_id)
    if image is None:
        looker.prove_account()
        return None
    content = content_of({"title": "title", **looker.parameters.image_fields}, image)
    return replace(found_image(looker.parameters, image, looker.base_url), content=content)

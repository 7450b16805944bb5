"""One post or file by its ID, with its content and the version that an update is guarded by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from once_delivery.targets import updating
from once_delivery.targets.base import Kind, Look, LookUpRequest, Original, Verdict
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.reading import cannot_tell
from once_delivery.targets.wordpress.objects import PUBLIC, content_of, file_content_of
from once_delivery.targets.wordpress.site import Site

_METHOD = "id"


def read(site: Site, result_id: str) -> Look:
    """FOUND with content and version, in the trash too; ABSENT when there is nothing of that ID and type."""
    try:
        site.able_account()
        post = site.one(result_id)
    except CutError as doubt:
        return cannot_tell(_METHOD, doubt)
    if post is None:
        return Look(Verdict.ABSENT, _METHOD, complete=True)
    content = (
        file_content_of(post) if site.kind == Kind.UPLOAD_FILE else content_of(site.parameters.fields, post)
    )
    return Look(Verdict.FOUND, _METHOD, complete=True, objects=(replace(site.found(post), content=content),))


def updated(site: Site, original: Original, payload: Mapping[str, Any]) -> Look:
    """Has this update been done?"""
    held = read(site, original.result_id)
    return updating.judged(held, original=original, payload=payload, public=PUBLIC)


def look_up_update(site: Site, request: LookUpRequest) -> Look:
    """The same, for a request of the ledger."""
    if request.original is None:
        return Look(Verdict.CANNOT_TELL, "none", complete=False, code="no-original")
    return updated(site, request.original, request.payload)

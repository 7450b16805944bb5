"""Everything of one kind that the site holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

from once_delivery.targets.base import FoundObject, Kind
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.strapi.reads import Looker


def inventory(
    looker: Looker, kind: Kind, changed_since: datetime | None, after: str
) -> Iterator[FoundObject]:
    """One entry a document (a marker, where a document has several), or one a file; raises CutError."""
    if kind == Kind.CREATE_DRAFT:
        if changed_since is not None:
            # "discard changes" takes updatedAt back, "unpublish" leaves it
            raise CutError("cannot-list-changes")
        yield from _documents(looker, after)
    elif kind == Kind.UPLOAD_FILE:
        yield from _files(looker, changed_since, after)
    else:
        raise CutError("kind-not-declared", detail=kind)


def _documents(looker: Looker, after: str) -> Iterator[FoundObject]:
    """Whoever goes on behind the first of several entries of one document is given that document again."""
    for document in looker.documents(after):
        markers = document.markers(looker.parameters.marker_field) or [""]
        for marker in markers[:-1]:
            yield replace(looker.found(document, marker), place=after)
        yield looker.found(document, markers[-1])
        after = document.result_id


def _files(looker: Looker, changed_since: datetime | None, after: str) -> Iterator[FoundObject]:
    if after and not (after.isascii() and after.isdecimal()):
        raise CutError("bad-place", detail=after[:40])
    moment = changed_since.astimezone(UTC).isoformat(timespec="milliseconds") if changed_since else ""
    filters = {"updatedAt__gt": moment.replace("+00:00", "Z")} if changed_since else {}
    for item in looker.files(int(after or 0), **filters):
        yield looker.found_file(item)

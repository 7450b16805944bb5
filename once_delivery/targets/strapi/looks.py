"""Looking for what carries our marker, for one object by its ID, and for whether an update was done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from once_delivery.targets import updating
from once_delivery.targets.base import FoundObject, Kind, Look, LookUpRequest, Original, Verdict
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.reading import cannot_tell
from once_delivery.targets.strapi.objects import PUBLIC
from once_delivery.targets.strapi.reads import Looker

_BY_ID = "id"


def look(looker: Looker, request: LookUpRequest) -> Look:
    """Everything that can be found out about one action's object."""
    match request.kind:
        case Kind.CREATE_DRAFT:
            return _told("marker", lambda: _draft(looker, request))
        case Kind.UPLOAD_FILE:
            return _told("hash", lambda: _file(looker, request))
        case Kind.UPDATE_DRAFT if request.original is not None:
            original = request.original
            held, _ = held_draft(looker, original.result_id, original.marker)
            return updated(held, original, request.payload)
        case _:
            return Look(Verdict.CANNOT_TELL, "none", complete=False, code="kind-not-declared")


def read(looker: Looker, kind: Kind, result_id: str) -> Look:
    """FOUND with content and version; ABSENT where the account would have seen it."""
    if kind == Kind.UPLOAD_FILE:
        return _told(_BY_ID, lambda: _look(_BY_ID, _some(looker.file(result_id))))
    return held_draft(looker, result_id)[0]


def held_draft(looker: Looker, result_id: str, marker: str = "") -> tuple[Look, str]:
    """The document of this ID as :func:`read` shows it, and the language of the draft that carries our marker.

    ``marker``: which one, where its languages carry several.
    """
    field = looker.parameters.marker_field
    try:
        document = looker.document(result_id)
    except CutError as doubt:
        return cannot_tell(_BY_ID, doubt), ""
    if document is None:
        return _look(_BY_ID, ()), ""
    there = document.markers(field)
    shown = marker if marker in there else next(iter(there), "")
    return _look(_BY_ID, (looker.found(document, shown),)), document.row(field, shown).locale


def updated(held: Look, original: Original, payload: Mapping[str, Any]) -> Look:
    """Has this update been done, to what ``read`` showed?"""
    return updating.judged(held, original=original, payload=payload, public=PUBLIC)


def _told(method: str, find: Callable[[], Look]) -> Look:
    try:
        return find()
    except CutError as doubt:
        return cannot_tell(method, doubt)


def _draft(looker: Looker, request: LookUpRequest) -> Look:
    marker = request.marker
    ours = tuple(_short(looker.found(document, marker)) for document in looker.marked(marker))
    if ours:
        return _look(looker.parameters.marker_field, ours)
    return replace(_look(looker.parameters.marker_field, ()), candidates=_alike(looker, request))


def _alike(looker: Looker, request: LookUpRequest) -> tuple[FoundObject, ...]:
    """An editor may have emptied the marker's field: what has our title and no marker is for a person."""
    title = request.payload.get("title")
    if not isinstance(title, str) or not title:
        return ()
    field = looker.parameters.marker_field
    named = looker.documents(**{looker.parameters.fields["title"]: title})
    found = (_short(looker.found(document)) for document in named if not document.markers(field))
    return tuple(one for one in found if one.title == title[: len(one.title)])


def _file(looker: Looker, request: LookUpRequest) -> Look:
    found = [looker.found_file(item) for item in looker.files(hash__startsWith=hash_of(request.marker))]
    if any(one.marker != request.marker for one in found):
        raise CutError("filter-ignored")
    return _look("hash", tuple(_short(one) for one in found))


def hash_of(marker: str) -> str:
    """How the ``hash`` of a file begins that was uploaded under the name of its marker."""
    return marker.replace("-", "_") + "_"


def _some(found: FoundObject | None) -> tuple[FoundObject, ...]:
    return (found,) if found is not None else ()


def _look(method: str, ours: tuple[FoundObject, ...]) -> Look:
    verdict = {0: Verdict.ABSENT, 1: Verdict.FOUND}.get(len(ours), Verdict.FOUND_MANY)
    return Look(verdict, method, complete=True, objects=ours)


def _short(found: FoundObject) -> FoundObject:
    """Content is for reads of one object."""
    return replace(found, content={})

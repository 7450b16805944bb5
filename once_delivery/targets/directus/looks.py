"""Looking for what carries our marker, and how sure one can be that it is not there.

Directus answers "not there" and "not for you" alike: an empty list, or 403. So an empty list counts only when
``/permissions/me`` says that the account may read every object of the collection. That is also how what an editor has
published stays in sight of an account that may change drafts only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from once_delivery.targets import updating
from once_delivery.targets.base import FoundObject, Look, LookUpRequest, Original, Verdict
from once_delivery.targets.directus.objects import INCOMPLETE
from once_delivery.targets.directus.parameters import ID
from once_delivery.targets.directus.site import Site
from once_delivery.targets.http_json.paging import CutError

_MANY = 50  # more than that for one marker: something else answers
_AN_ID = re.compile(r"[0-9]{1,19}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def look(site: Site, request: LookUpRequest) -> Look:
    """Everything that can be found out about one action's object."""
    search = _Search(site, request)
    doubt: CutError | None = None
    try:
        search.run()
    except CutError as error:
        doubt = error
    return search.look(doubt)


def read(site: Site, result_id: str) -> Look:
    """The object with this ID."""
    try:
        objects = tuple(_with_id(site, result_id))
        if not objects:
            site.prove_sight()
    except CutError as error:
        return _cut(Look(Verdict.CANNOT_TELL, "id", complete=False), error)
    verdict = Verdict.FOUND if objects else Verdict.ABSENT
    return Look(verdict, "id", complete=True, objects=objects)


def _with_id(site: Site, result_id: str) -> Iterator[FoundObject]:
    for found in site.matching({ID: {"_eq": address_of(result_id)}}):
        if found.result_id != result_id:
            raise CutError("filter-ignored")
        yield found


def updated(site: Site, request: LookUpRequest, original: Original) -> Look:
    """Was this update done? Whatever is no draft any more is for a person."""
    seen = read(site, original.result_id)
    public = {one.status for one in seen.objects} - {site.parameters.draft_value}
    return updating.judged(seen, original=original, payload=request.payload, public=public)


def address_of(result_id: str) -> str:
    """``result_id`` as it may stand in an address; raises CutError."""
    if not _AN_ID.fullmatch(result_id):
        raise CutError("bad-id", detail=result_id[:40])
    return result_id


class _Search:
    """One look-up. What is certain is in ``_ours``; the first doubt ends it."""

    def __init__(self, site: Site, request: LookUpRequest) -> None:
        self._site = site
        self._request = request
        self._our_id = request.client_id.lower() if site.takes_our_ids else ""
        self._ours: dict[str, FoundObject] = {}
        self._alike: dict[str, FoundObject] = {}

    def run(self) -> None:
        either = [{self._site.marker_field: {"_eq": self._request.marker}}]
        if self._our_id:
            either.append({ID: {"_eq": self._our_id}})
        for number, found in enumerate(self._site.matching({"_or": either})):
            if number >= _MANY:
                raise CutError("filter-ignored")
            self._note(found)
        if not self._ours:
            self._site.prove_sight()

    def _note(self, found: FoundObject) -> None:
        if found.marker != self._request.marker:
            if found.result_id != self._our_id:
                raise CutError("filter-ignored")
            # under our ID, and somebody has taken the marker away
            self._alike[found.result_id] = found
            raise CutError("marker-mismatch")
        if found.status == INCOMPLETE:
            # its upload was cut, or still runs: a row without bytes is not what was to be made
            self._alike[found.result_id] = found
            raise CutError("file-incomplete")
        self._ours[found.result_id] = found

    def look(self, doubt: CutError | None) -> Look:
        ours = tuple(self._ours.values())
        absent = Verdict.ABSENT if doubt is None else Verdict.CANNOT_TELL
        seen = Look(
            verdict={0: absent, 1: Verdict.FOUND}.get(len(ours), Verdict.FOUND_MANY),
            method="id+marker" if self._our_id else "marker",
            complete=doubt is None,
            objects=ours,
            candidates=tuple(self._alike.values()),
        )
        return seen if doubt is None else _cut(seen, doubt)


def _cut(seen: Look, doubt: CutError) -> Look:
    return replace(
        seen,
        code=doubt.code,
        http_status=doubt.http_status,
        retry_after_s=doubt.retry_after_s,
        detail=doubt.detail,
    )

"""Looking for what carries our marker: one listing by prefix tells of every key of an action.

A HEAD alone would not do: where the account may not list, S3 answers 403 for what is not there, and a 404 to HEAD has
no body that would tell a missing object from a missing bucket or a proxy's page.
"""

from __future__ import annotations

from dataclasses import replace

from once_delivery.targets.base import FoundObject, Kind, Look, LookUpRequest, Verdict
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.s3.keys import Template
from once_delivery.targets.s3.listing import entries
from once_delivery.targets.s3.objects import Entry, found_entry, found_headers, other_marker
from once_delivery.targets.s3.payload import content_of
from once_delivery.targets.s3.store import Reads

_NOT_THERE, _FORBIDDEN = 404, 403
_MANY = 20  # more keys than that for one marker: somebody keeps a folder of their own there


def look(reads: Reads, request: LookUpRequest) -> Look:
    """Everything that can be found out about the object of one create."""
    template = reads.store.parameters.keys.get(request.kind)
    if template is None:
        return Look(Verdict.CANNOT_TELL, "none", complete=False, code="kind-not-declared")
    search = _Search(reads, template, request.marker)
    doubt: CutError | None = None
    try:
        search.by_prefix()
    except CutError as error:
        doubt = search.by_key(request.result_id, error)
    return search.look(doubt)


class _Search:
    """One look-up. What is certain is in ``ours``; the first doubt ends it."""

    def __init__(self, reads: Reads, template: Template, marker: str) -> None:
        self._reads = reads
        self._template = template
        self._marker = marker
        self._ours: list[FoundObject] = []
        self._alike: list[FoundObject] = []
        self._method = "prefix"

    def by_prefix(self) -> None:
        for number, entry in enumerate(entries(self._reads, self._template.beginning(self._marker))):
            if number >= _MANY:
                raise CutError("too-many-keys")
            if entry.is_folder:
                continue
            found = found_entry(self._template, entry, self._reads.store.url(entry.key))
            if found.marker != self._marker:
                self._alike.append(found)
            elif entry.deleted or self._agrees(entry, found):
                self._ours.append(found)

    def _agrees(self, entry: Entry, found: FoundObject) -> bool:
        """What the object says of itself must not speak against its key; raises CutError."""
        result = self._reads.result("HEAD", entry.key)
        if result.status == _NOT_THERE:
            raise CutError("changing", detail="gone between listing and object")
        if result.status == _FORBIDDEN:
            return True  # an account that may list and not read; the key is enough
        if other_marker(self._marker, self._reads.fine(result).headers):
            self._alike.append(found)
            raise CutError("marker-mismatch", detail=other_marker(self._marker, result.headers)[:60])
        return True

    def by_key(self, known: str, doubt: CutError) -> CutError:
        """Without the right to list, a known key can still be seen, though nothing can be seen to be missing."""
        key = known or self._template.only_key(self._marker)
        if doubt.code == "forbidden" and self._template.marker_of(key) == self._marker:
            self._method = "prefix+key"
            try:
                result = self._reads.fine(self._reads.result("HEAD", key))
            except CutError:
                return doubt
            if not other_marker(self._marker, result.headers):
                url = self._reads.store.url(key)
                self._ours.append(found_headers(self._template, key, result.headers, url))
        return doubt

    def look(self, doubt: CutError | None) -> Look:
        complete = doubt is None
        verdict = {0: Verdict.ABSENT if complete else Verdict.CANNOT_TELL, 1: Verdict.FOUND}.get(
            len(self._ours), Verdict.FOUND_MANY
        )
        return Look(
            verdict=verdict,
            method=self._method,
            complete=complete,
            objects=tuple(self._ours),
            candidates=tuple(self._alike),
            code=doubt.code if doubt else "",
            http_status=doubt.http_status if doubt else None,
            retry_after_s=doubt.retry_after_s if doubt else None,
            detail=doubt.detail if doubt else "",
        )


def read(reads: Reads, kind: Kind, result_id: str) -> Look:
    """The object of one key; a draft with its content."""
    try:
        return _read(reads, kind, result_id)
    except CutError as error:
        return Look(
            Verdict.CANNOT_TELL,
            "key",
            complete=False,
            code=error.code,
            http_status=error.http_status,
            retry_after_s=error.retry_after_s,
            detail=error.detail,
        )


def _read(reads: Reads, kind: Kind, key: str) -> Look:
    store = reads.store
    template = store.parameters.template(kind)
    if template is None:
        raise CutError("kind-not-declared")
    file = kind == Kind.UPLOAD_FILE
    result = reads.result("HEAD" if file else "GET", key)
    if result.status == _NOT_THERE:
        return _gone(reads, template, key)
    headers = reads.fine(result).headers
    found = found_headers(template, key, headers, store.url(key))
    if found.marker is not None and other_marker(found.marker, headers):
        raise CutError("marker-mismatch")
    content = {} if file else content_of(store.parameters, result.body)
    whole = replace(found, content=content)
    return Look(Verdict.FOUND, "key", complete=True, objects=(whole,))


def _gone(reads: Reads, template: Template, key: str) -> Look:
    """Deleted, in a versioned bucket, or absent: a listing tells, and only to an account that may list."""
    entry = next((one for one in entries(reads, key) if one.key == key), None)
    if entry is None:
        return Look(Verdict.ABSENT, "key+prefix", complete=True)
    if not entry.deleted:
        raise CutError("changing", detail="not there, and there again")
    return Look(
        Verdict.FOUND,
        "key+prefix",
        complete=True,
        objects=(found_entry(template, entry, reads.store.url(key)),),
    )

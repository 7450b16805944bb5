"""Looking for a job: by its ID, by what we planted in it, by its time and content, or waiting for the service's call."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from once_delivery.common.http import HttpResult
from once_delivery.targets.base import FoundObject, Look, LookUpRequest, Verdict
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.reader import Reader
from once_delivery.targets.http_json.reading import document_of, fine
from once_delivery.targets.http_json.template import TemplateError
from once_delivery.targets.jobs.declaration import Declaration
from once_delivery.targets.jobs.objects import Sought
from once_delivery.targets.jobs.requests import Requests, Values, ordered, sought
from once_delivery.targets.jobs.rules import first_fitting
from once_delivery.targets.jobs.spec import Listing, Read

JOB_FAILED = "job-failed"
WINDOW_OVER = "window-over"
_OUTPUT_GONE = frozenset({404, 410})
_MODEL_SAID_NO = frozenset({400, 422})


class NotThereError(Exception):
    """The service says, in its documented words, that it has no such job."""


@dataclass(frozen=True, slots=True)
class Looker:
    """Reads within one end of time; raises CutError for everything that proves nothing."""

    declaration: Declaration
    requests: Requests
    reader: Reader

    def job(self, read: Read, values: Values, whose: Sought, result_id: str = "") -> tuple[FoundObject, Any]:
        """One job with its document; raises NotThereError."""
        result = self._get(read, values)
        document = document_of(result)
        if first_fitting(read.not_there, result.status, document) is not None:
            raise NotThereError
        fine(result)
        if read.job.is_absent(document):
            raise NotThereError
        found = read.job.find(document, whose, result.headers, result_id)
        if found is None:
            raise CutError("no-id", http_status=result.status)
        return self._with_result(found, values, whose), document

    def _with_result(self, found: FoundObject, values: Values, whose: Sought) -> FoundObject:
        """Where a finished job's output has an address of its own."""
        read = self.declaration.service.result
        if read is None or not found.finished or found.failed:
            return found
        result = self._get(read, {**values, "result_id": found.result_id})
        if result.status in _OUTPUT_GONE:
            return found  # it was made and paid; what it made is kept no longer
        document = document_of(result)
        shown = read.job.find(document, whose, result.headers, found.result_id)
        outputs = shown.usage if shown is not None else {}
        if result.status in _MODEL_SAID_NO:
            words = {"error": str(document)[:500]}
            return replace(found, failed=True, usage={**found.usage, **words})
        fine(result)
        kept = {name: outputs[name] for name in ("outputs", "outputs_expire_at") if name in outputs}
        return replace(found, url=shown.url if shown else "", usage={**found.usage, **kept})

    def items(self, listing: Listing, values: Values) -> Any:
        """Every job of the account, newest first where the service documents it."""
        path, query = self._address(listing, values)
        return self.reader.items(
            path,
            query,
            pointer=listing.items,
            paging=listing.paging,
            identify=lambda item: _id_of(listing, item),
        )

    def _get(self, read: Read, values: Values) -> HttpResult:
        return self.reader.result(*self._address(read, values))

    def _address(self, spec: Read | Listing, values: Values) -> tuple[str, dict[str, str]]:
        try:
            return self.requests.address(spec.address, values)
        except TemplateError as error:
            raise CutError(error.code, detail=error.name) from None


def _id_of(listing: Listing, item: Any) -> str:
    found = listing.job.find(item, Sought())
    return found.result_id if found is not None else ""


def by_id(looker: Looker, request: LookUpRequest) -> Look:
    """The job that we know by the service's ID."""
    read = looker.declaration.service.read
    if read is None:
        return cannot_tell("id", CutError("cannot-read"))
    values = {**ordered(request.payload, sought(request)), "result_id": request.result_id}
    try:
        found, _ = looker.job(read, values, sought(request), request.result_id)
    except NotThereError:
        return cannot_tell("id", CutError("not-found"))
    except CutError as error:
        return cannot_tell("id", error)
    if found.result_id != request.result_id:
        return cannot_tell("id", CutError("another-job"), found)
    if request.marker and found.marker not in {None, request.marker}:
        return cannot_tell("id", CutError("marker-mismatch"), found)
    return found_one("id", found)


def by_marker(looker: Looker, request: LookUpRequest) -> Look:
    """By the ID of our own that the service keeps; that there is none must be said by its list, too."""
    service = looker.declaration.service
    methods: list[str] = []
    ours: dict[str, FoundObject] = {}
    try:
        if service.by_marker is not None:
            methods.append("client-id")
            ours |= _planted(looker, service.by_marker, request)
        if service.list is not None:
            methods.append("list")
            ours |= _listed(looker, service.list, request)
    except CutError as error:
        # what was found is ours whatever the list would have shown beside it
        found = replace(found_one("client-id", *ours.values()), complete=False) if ours else None
        return found or cannot_tell("+".join(methods), error)
    method = "+".join(methods)
    if len(ours) > 1:
        return Look(Verdict.FOUND_MANY, method, complete=True, objects=tuple(ours.values()))
    return found_one(method, *ours.values()) if ours else absent(looker, request, method)


def _listed(looker: Looker, listing: Listing, request: LookUpRequest) -> dict[str, FoundObject]:
    whose = sought(request)
    jobs = (listing.job.find(item, whose) for item in looker.items(listing, ordered(request.payload, whose)))
    return {
        job.result_id: job
        for job in jobs
        if job is not None and job.marker == request.marker and job.result_id not in request.taken
    }


def _planted(looker: Looker, read: Read, request: LookUpRequest) -> dict[str, FoundObject]:
    whose = sought(request)
    try:
        found, _ = looker.job(read, ordered(request.payload, whose), whose)
    except NotThereError:
        return {}
    if found.marker != request.marker:
        raise CutError("marker-mismatch", detail=found.result_id)
    return {} if found.result_id in request.taken else {found.result_id: found}


def absent(looker: Looker, request: LookUpRequest, method: str) -> Look:
    """Nothing was found: that counts only while the service would still show it."""
    window = looker.declaration.service.window_s
    if window is not None:
        if request.sent_at is None:
            return cannot_tell(method, CutError("send-time-unknown"))
        if asked_at(request) - request.sent_at > timedelta(seconds=window) - looker.declaration.skew:
            return cannot_tell(method, CutError(WINDOW_OVER))
    return Look(Verdict.ABSENT, method, complete=True)


def asked_at(request: LookUpRequest) -> datetime:
    """The moment of the look, by the clock that the send was timed with."""
    return request.asked_at or datetime.now(UTC)


def found_one(method: str, found: FoundObject) -> Look:
    return Look(
        Verdict.FOUND, method, complete=True, objects=(found,), code=JOB_FAILED if found.failed else ""
    )


def cannot_tell(method: str, why: CutError, *candidates: FoundObject) -> Look:
    return Look(
        Verdict.CANNOT_TELL,
        method or "none",
        complete=False,
        candidates=candidates,
        code=why.code,
        http_status=why.http_status,
        retry_after_s=why.retry_after_s,
        detail=why.detail,
    )

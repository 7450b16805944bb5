"""A job that carries nothing of ours, recognised by its time and its content.

Found is only the one job that no other action can claim. Several are candidates for a person: which of two equal
orders was ours nobody can tell, and a second one of them is paid already.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from once_delivery.targets.base import FoundObject, Look, LookUpRequest, Verdict
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.jobs.looks import (
    Looker,
    NotThereError,
    absent,
    cannot_tell,
    found_one,
)
from once_delivery.targets.jobs.matching import Likeness, likeness
from once_delivery.targets.jobs.objects import Sought
from once_delivery.targets.jobs.requests import ordered, sought
from once_delivery.targets.jobs.spec import Listing

METHOD = "time-and-content"
_DETAILS_MOST = 50  # jobs read one by one in one look


@dataclass(frozen=True, slots=True)
class _Job:
    """A job of the time in question, with all that is shown of it."""

    found: FoundObject
    item: Any
    detail: Any
    how: Likeness


def by_time_and_content(looker: Looker, request: LookUpRequest, listing: Listing) -> Look:
    """Everything in the account since we sent, less what others claim, compared with what we ordered."""
    if request.sent_at is None:
        return cannot_tell(METHOD, CutError("send-time-unknown"))
    try:
        jobs = _since(looker, request, listing, request.sent_at - looker.declaration.skew)
    except CutError as error:
        return cannot_tell(METHOD, error)
    if not jobs:
        return absent(looker, request, METHOD)
    return _judged(looker, request, listing, jobs)


def _since(looker: Looker, request: LookUpRequest, listing: Listing, since: datetime) -> list[_Job]:
    jobs: list[_Job] = []
    for item in looker.items(listing, ordered(request.payload, sought(request))):
        found = listing.job.find(item, Sought())
        if found is None or found.created_at is None:
            raise CutError("no-creation-time")
        if found.created_at < since and listing.newest_first:
            break
        if found.created_at < since or found.result_id in request.taken or listing.job.is_absent(item):
            continue
        how = likeness(item, listing.match, request.payload)
        if how is not Likeness.OTHER:
            jobs.append(_Job(found, item, None, how))
        if len(jobs) > _DETAILS_MOST:
            raise CutError("too-many-alike")
    if not listing.detail_match:
        return jobs
    return [one for one in (_in_detail(looker, request, listing, job) for job in jobs) if one is not None]


def _in_detail(looker: Looker, request: LookUpRequest, listing: Listing, job: _Job) -> _Job | None:
    """The job read by its ID and compared again; None when it is another one."""
    read = looker.declaration.service.read
    if read is None:
        return job
    values = {**ordered(request.payload, sought(request)), "result_id": job.found.result_id}
    try:
        found, document = looker.job(read, values, Sought(), job.found.result_id)
    except NotThereError:
        raise CutError("unreadable-job") from None  # it was in the list a moment ago
    how = likeness(document, listing.detail_match, request.payload)
    if how is Likeness.OTHER:
        return None
    return _Job(replace(found, created_at=job.found.created_at), job.item, document, how)


def _judged(looker: Looker, request: LookUpRequest, listing: Listing, jobs: list[_Job]) -> Look:
    candidates = tuple(job.found for job in jobs)
    sure = looker.declaration.sole_user
    if not sure and any(job.how is Likeness.UNREADABLE for job in jobs):
        return cannot_tell(METHOD, CutError("cannot-compare-yet"), *candidates)
    if len(jobs) > 1 or not (sure or jobs[0].how is Likeness.SAME):
        return Look(Verdict.ABSENT, METHOD, complete=True, candidates=candidates, code="only-alike")
    if any(_could_be(jobs[0], listing, rival) for rival in request.rivals):
        return cannot_tell(METHOD, CutError("match-disputed"), *candidates)
    return found_one(METHOD, jobs[0].found)


def _could_be(job: _Job, listing: Listing, rival: Mapping[str, Any]) -> bool:
    """Whether another action, of whose result nothing is known, may have ordered this job."""
    if likeness(job.item, listing.match, rival) is Likeness.OTHER:
        return False
    return job.detail is None or likeness(job.detail, listing.detail_match, rival) is not Likeness.OTHER

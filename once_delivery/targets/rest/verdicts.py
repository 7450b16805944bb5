"""From what was read to a verdict (R5, R6): absence is earned, only ours is found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from once_delivery.targets.base import FoundObject, Look, LookUpRequest, Verdict
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.rest.looks import Looker, NotThereError
from once_delivery.targets.rest.spec import KindSpec, Listing, Read

JOB_FAILED = "job-failed"


@dataclass(slots=True)
class _Gathered:
    """What several reads showed together; ``doubts`` are reasons why absence would prove nothing."""

    methods: list[str] = field(default_factory=list)
    ours: dict[str, FoundObject] = field(default_factory=dict)
    alike: dict[str, FoundObject] = field(default_factory=dict)
    doubts: list[CutError] = field(default_factory=list)
    counted: bool = False  # a look that would show a second one was made

    def note(self, found: FoundObject, marker: str, *, has_marker: bool, unreadable_is_doubt: bool) -> None:
        if found.marker == marker or not has_marker:
            self.ours[found.result_id] = found
        elif found.marker is None and unreadable_is_doubt:
            # the target found it for our marker and does not show whose it is
            self.alike[found.result_id] = found
            self.doubts.append(CutError("marker-unreadable"))


def look(spec: KindSpec, request: LookUpRequest, looker: Looker) -> Look:
    """Everything that this declaration allows to find out about one action's object."""
    values = {
        "marker": request.marker,
        "client_id": request.client_id,
        "result_id": request.result_id,
        "payload": request.payload,
    }
    gathered = _Gathered()
    if request.result_id and spec.read is not None:
        _by_id(gathered, spec.read, values, request.marker, looker)
        if gathered.ours:
            return _look(gathered)
    if spec.read_by_client_id is not None:
        _by_client_id(gathered, spec.read_by_client_id, values, request.marker, looker)
    if spec.look_up is not None:
        _by_marker(gathered, spec.look_up, values, request.marker, looker)
    if spec.candidates is not None and request.payload and not gathered.ours:
        _by_likeness(gathered, spec.candidates, values, looker)
    return _look(gathered)


def _by_id(gathered: _Gathered, read: Read, values: Mapping[str, Any], marker: str, looker: Looker) -> None:
    gathered.methods.append("id")
    try:
        found = looker.one(read, values)
    except NotThereError:
        return
    except CutError as error:
        gathered.doubts.append(error)
        return
    gathered.note(found, marker, has_marker=read.answer.has_marker, unreadable_is_doubt=True)
    if found.result_id not in gathered.ours:
        gathered.alike[found.result_id] = found


def _by_client_id(
    gathered: _Gathered, read: Read, values: Mapping[str, Any], marker: str, looker: Looker
) -> None:
    gathered.methods.append("client-id")
    gathered.counted = True  # there can be one object with an ID
    try:
        found = looker.one(read, values)
    except NotThereError:
        return
    except CutError as error:
        gathered.doubts.append(error)
        return
    gathered.note(found, marker, has_marker=read.answer.has_marker, unreadable_is_doubt=True)
    if found.result_id not in gathered.ours:
        gathered.alike[found.result_id] = found
        gathered.doubts.append(CutError("marker-mismatch"))


def _by_marker(
    gathered: _Gathered, listing: Listing, values: Mapping[str, Any], marker: str, looker: Looker
) -> None:
    gathered.methods.append("marker")
    gathered.counted = True
    if not listing.every_status:
        gathered.doubts.append(CutError("statuses-not-covered"))
    if not listing.answer.has_marker:
        gathered.doubts.append(CutError("marker-unreadable"))
    try:
        for found in looker.all(listing, values):
            # without a marker to compare nothing is ours (R6): the query may be ignored by the target
            has_marker = listing.answer.has_marker
            gathered.note(found, marker, has_marker=True, unreadable_is_doubt=has_marker)
            if not has_marker:
                gathered.alike[found.result_id] = found
    except CutError as error:
        gathered.doubts.append(error)


def _by_likeness(gathered: _Gathered, listing: Listing, values: Mapping[str, Any], looker: Looker) -> None:
    """Objects that a person should see before anything is sent again."""
    gathered.methods.append("likeness")
    try:
        for found in looker.all(listing, values):
            if not found.marker:  # with a marker it is known whose it is
                gathered.alike[found.result_id] = found
    except CutError as error:
        if error.code != "template-missing":  # a payload without these fields looks like nothing
            gathered.doubts.append(error)


def _look(gathered: _Gathered) -> Look:
    ours = tuple(gathered.ours.values())
    doubt = gathered.doubts[0] if gathered.doubts else None
    complete = doubt is None and gathered.counted
    if not gathered.methods:
        doubt = CutError("no-look-up")
    elif not ours and not gathered.counted and doubt is None:
        doubt = CutError("not-found")  # under the ID that we knew; it may stand elsewhere
    if len(ours) > 1:
        verdict = Verdict.FOUND_MANY
    elif ours:
        verdict = Verdict.FOUND
    else:
        verdict = Verdict.ABSENT if complete else Verdict.CANNOT_TELL
    return Look(
        verdict=verdict,
        method="+".join(gathered.methods) or "none",
        complete=complete,
        objects=ours,
        candidates=tuple(gathered.alike.values()),
        code=JOB_FAILED if verdict == Verdict.FOUND and ours[0].failed else (doubt.code if doubt else ""),
        http_status=doubt.http_status if doubt else None,
        retry_after_s=doubt.retry_after_s if doubt else None,
        detail=doubt.detail if doubt else "",
    )

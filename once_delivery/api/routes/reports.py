"""What came of a permit: the holder reports, the rules decide. And what an attempt cost."""

from __future__ import annotations

from typing import Annotated, Any

from ninja import Path, Router, Status
from pydantic import Field

from once_delivery.api import selectors
from once_delivery.api.door import ApiRequest, only_known
from once_delivery.api.fetch import attempt_of, permit_of
from once_delivery.api.roles import COSTERS, PERFORMERS, must_be
from once_delivery.api.schemas.permits import (
    AbsentIn,
    BeatIn,
    BeatOut,
    CostIn,
    CostOut,
    DoneIn,
    FoundIn,
    RefusedIn,
    ReportOut,
    UnknownIn,
)
from once_delivery.api.services.request_deliveries import actor_of
from once_delivery.ledger.models import Action
from once_delivery.ledger.services.beat_permit import beat_permit
from once_delivery.ledger.services.report_look import Seen, report_look
from once_delivery.ledger.services.report_usage import report_usage
from once_delivery.ledger.services.settle_permit import Report, settle_permit
from once_delivery.targets.base import FoundObject, Outcome
from once_delivery.targets.jobs.usage import usage_of

router = Router(tags=["permits"])
AttemptNumber = Annotated[int, Field(ge=1, le=2**63 - 1)]


@router.post("/permits/{permit}/done", response=ReportOut, operation_id="report_done")
def done(request: ApiRequest, permit: str, said: DoneIn) -> dict[str, Any]:
    """The target answered with an ID. After your time was over it is kept all the same, and used."""
    report = Report(
        Outcome.DONE if said.finished else Outcome.ACCEPTED,
        result_id=said.result_id,
        url=said.url,
        marker=said.marker,
        http_status=said.http_status,
        usage=_usage(said.cost, said.result_id),
    )
    return _settled(request, permit, report)


@router.post("/permits/{permit}/refused", response=ReportOut, operation_id="report_refused")
def refused(request: ApiRequest, permit: str, said: RefusedIn) -> dict[str, Any]:
    """Nothing was made. A status that can follow a commit (5xx, 409) is not taken for a refusal."""
    report = Report(
        Outcome(said.outcome),
        code=said.code,
        http_status=said.http_status,
        retry_after_s=said.retry_after_s,
        detail=said.detail,
        usage=_usage(said.cost),
    )
    return _settled(request, permit, report)


@router.post("/permits/{permit}/unknown", response=ReportOut, operation_id="report_unknown")
def unknown(request: ApiRequest, permit: str, said: UnknownIn) -> dict[str, Any]:
    """It may have arrived. The action is uncertain, never failed: ask again for what comes next."""
    report = Report(
        Outcome.UNKNOWN,
        code=said.code,
        http_status=said.http_status,
        detail=said.detail,
        usage=_usage(said.cost),
    )
    return _settled(request, permit, report)


@router.post("/permits/{permit}/found", response=ReportOut, operation_id="report_found")
def found(request: ApiRequest, permit: str, said: FoundIn) -> dict[str, Any]:
    """You looked and saw objects. What carries the marker is adopted; what merely looks alike goes to a person."""
    objects = tuple(
        FoundObject(
            one.result_id,
            one.marker,
            url=one.url,
            status=one.status,
            title=one.title,
            trashed=one.trashed,
            finished=one.finished,
            failed=one.failed,
            usage=_usage(said.cost, one.result_id),
        )
        for one in said.objects
    )
    seen = Seen(
        objects,
        complete=said.complete,
        method=said.method,
        http_status=said.http_status,
        detail=said.detail,
    )
    return _seen(request, permit, seen)


@router.post("/permits/{permit}/absent", response=ReportOut, operation_id="report_absent")
def absent(request: ApiRequest, permit: str, said: AbsentIn) -> dict[str, Any]:
    """You looked and it is not there. It counts when the look was complete and began after `absent_counts_from`."""
    seen = Seen(
        complete=said.complete,
        method=said.method,
        http_status=said.http_status,
        detail=said.detail,
        witness=said.witness,
    )
    return _seen(request, permit, seen)


@router.post("/permits/{permit}/heartbeat", response=BeatOut, operation_id="beat_permit")
def heartbeat(request: ApiRequest, permit: str, said: BeatIn | None = None) -> dict[str, Any]:
    """You are still at work: your time is prolonged. A permit that is over cannot be."""
    must_be(request.token, PERFORMERS)
    only_known(request)
    lease_s = said.lease_s if said is not None else None
    return {"expires_at": beat_permit(permit=permit_of(request.token, permit), lease_s=lease_s)}


@router.post("/attempts/{attempt}/costs", response={201: CostOut, 200: CostOut}, operation_id="report_cost")
def costs(request: ApiRequest, attempt: Path[AttemptNumber], said: CostIn) -> Status[dict[str, Any]]:
    """What an attempt used and cost, when that is known later than its answer. The same again is counted once."""
    must_be(request.token, COSTERS)
    only_known(request)
    row, new = report_usage(
        attempt=attempt_of(request.token, attempt), usage=_usage(said), actor=actor_of(request.token)
    )
    return Status(201 if new else 200, {"id": row.pk, "new": new})


def _settled(request: ApiRequest, secret: str, report: Report) -> dict[str, Any]:
    must_be(request.token, PERFORMERS)
    only_known(request)
    permit = permit_of(request.token, secret)
    settled = settle_permit(permit=permit, report=report, actor=actor_of(request.token))
    return _told(permit.action_id) | {
        "taken_as": settled.outcome,
        "code": settled.code,
        "late": settled.late,
        "repeated": settled.repeated,
    }


def _seen(request: ApiRequest, secret: str, seen: Seen) -> dict[str, Any]:
    must_be(request.token, PERFORMERS)
    only_known(request)
    permit = permit_of(request.token, secret)
    told = report_look(permit=permit, seen=seen, actor=actor_of(request.token))
    return _told(permit.action_id) | {
        "taken_as": told.verdict,
        "code": told.code,
        "absence_proven": told.proves_absence,
        "absent_counts_from": told.counts_from,
    }


def _told(action_id: int) -> dict[str, Any]:
    action = selectors.action_out(selectors.actions_of(Action.objects.filter(pk=action_id)).get())
    return {"state": action["state"], "why": action["why"], "action": action}


def _usage(cost: CostIn | None, job_id: str = "") -> dict[str, Any]:
    if cost is None:
        return {}
    return usage_of(
        provider=cost.provider,
        proven="reported",
        job_id=job_id,
        request_id=cost.request_id,
        units=cost.units,
        unit=cost.unit,
        amount=cost.amount,
        currency=cost.currency,
    )

"""Gateway: deliveries are asked for, and it is read how they stand."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils.translation import gettext_noop
from ninja import Query, Router

from once_delivery.api import selectors
from once_delivery.api.door import ApiRequest, only_known
from once_delivery.api.fetch import task_of
from once_delivery.api.roles import ASKERS, READERS, must_be
from once_delivery.api.schemas.common import DeliveryOut, WaitQuery
from once_delivery.api.schemas.deliveries import (
    AskedOut,
    DeliveriesIn,
    DeliveriesOut,
    DeliveriesQuery,
    ItemIn,
)
from once_delivery.api.services.request_deliveries import delivery_request, request_deliveries
from once_delivery.api.waiting import wait_until
from once_delivery.api.waking import wake_targets
from once_delivery.common.errors import InvalidInputError, Problem
from once_delivery.ledger.models import Task
from once_delivery.ledger.requests import ActionRequest, DeliveryRequest
from once_delivery.targets.base import Kind

router = Router(tags=["deliveries"])
ONE_OR_OTHER = gettext_noop("An item names either “target” with “content”, or “actions”.")
NO_FILES = gettext_noop("Files come in with a batch file or by a permit, not by this call.")


@router.post("/deliveries", response={202: AskedOut}, operation_id="ask_for_deliveries")
def ask(request: ApiRequest, said: DeliveriesIn) -> dict[str, Any]:
    """Ask for 1 to 1000 deliveries: all of them or none; the IDs are there at once.

    The same again makes nothing and gives the same IDs. Other content under one identity is refused with 409 and both
    fingerprints.
    """
    must_be(request.token, ASKERS)
    only_known(request)
    wanted = [_delivery(request, item, row) for row, item in enumerate(said.items, start=1)]
    requested = request_deliveries(
        token=request.token, deliveries=wanted, batch=said.batch, execution=said.execution
    )
    result = requested.result
    tasks = (
        Task.objects.select_related("product", "input_version")
        .defer("input_version__content")
        .in_bulk(list(set(result.task_ids)))
    )
    shown = dict(zip(tasks, selectors.deliveries(list(tasks.values())), strict=True))
    if result.actions_new:
        wake_targets(result.task_ids)
    return {
        "batch": {"id": result.batch.uuid, "name": result.batch.name},
        "deliveries": [shown[task_id] for task_id in result.task_ids],
        "tasks_new": result.tasks_new,
        "actions_new": result.actions_new,
        "suppressed": result.suppressed,
        "superseded": result.superseded,
    }


def _delivery(request: ApiRequest, item: ItemIn, row: int) -> DeliveryRequest:
    short = item.content is not None and bool(item.target)
    if short == bool(item.actions) or (item.content is not None) != bool(item.target):
        raise InvalidInputError((Problem("one-or-other", ONE_OR_OTHER, row=row),))
    if any(action.kind is Kind.UPLOAD_FILE and action.performed_by == "once" for action in item.actions):
        raise InvalidInputError((Problem("files-not-here", NO_FILES, row=row),))
    actions = [
        ActionRequest(
            target=action.target,
            kind=action.kind,
            slot=action.slot,
            payload=action.content,
            by_permit=action.performed_by == "permit",
        )
        for action in item.actions
    ] or [ActionRequest(target=item.target, kind=Kind.CREATE_DRAFT, slot="main", payload=item.content or {})]
    return delivery_request(
        token=request.token,
        identity=item.identity,
        actions=actions,
        brief=item.brief,
        product_name=item.product_name,
        approved_by=item.approved_by,
        approved_at=item.approved_at,
        row=row,
    )


@router.get("/deliveries", response=DeliveriesOut, operation_id="list_deliveries")
def many(request: ApiRequest, query: Query[DeliveriesQuery]) -> dict[str, Any]:
    """Deliveries by identity, by outside execution, by state, by batch; page by page with `after`."""
    must_be(request.token, READERS)
    only_known(request, DeliveriesQuery)
    found = list(selectors.tasks_asked_for(request.token, query)[: query.limit + 1])
    shown = found[: query.limit]
    return {
        "deliveries": selectors.deliveries(shown),
        "next": shown[-1].uuid if len(found) > query.limit else None,
    }


@router.get("/deliveries/{uuid:delivery_id}", response=DeliveryOut, operation_id="read_delivery")
def one(request: ApiRequest, delivery_id: UUID, query: Query[WaitQuery]) -> dict[str, Any]:
    """One delivery. With `wait` the answer comes when it is settled, or after so many seconds."""
    must_be(request.token, READERS)
    only_known(request, WaitQuery)
    task = task_of(request.token, delivery_id)
    return wait_until(
        lambda: selectors.deliveries([task])[0], is_enough=lambda found: found["settled"], wait_s=query.wait
    )

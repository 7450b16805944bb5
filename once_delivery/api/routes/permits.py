"""Permits: somebody else performs the action, asks first, and reports what came of it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from ninja import Query, Router

from once_delivery.api import selectors
from once_delivery.api.door import ApiRequest, only_known
from once_delivery.api.fetch import action_of
from once_delivery.api.roles import PERFORMERS, must_be
from once_delivery.api.schemas.common import WaitQuery
from once_delivery.api.schemas.permits import AskIn, PermitIn, PermitOut
from once_delivery.api.services.ask_permit import Asking, ask_first, ask_permit
from once_delivery.api.services.request_deliveries import delivery_request
from once_delivery.api.waiting import wait_until
from once_delivery.ledger.marker import idempotency_key_of
from once_delivery.ledger.models import Action
from once_delivery.ledger.reasons import sentence
from once_delivery.ledger.requests import ActionRequest
from once_delivery.ledger.services.give_permit import Answer, Permission

router = Router(tags=["permits"])


@router.post("/permits", response=PermitOut, operation_id="ask_for_permit")
def ask(request: ApiRequest, said: PermitIn, query: Query[WaitQuery]) -> dict[str, Any]:
    """Ask before you perform. Of all who ask at once for one identity exactly one is told to go.

    `go`: perform it before `expires_at`, then report. `reuse`: it is done, here is the result. `wait`: somebody has it;
    with `?wait=` the answer comes when that changes. `look_up`: an answer was lost; look for the marker and report what
    you see. `stop`: a person decides.
    """
    must_be(request.token, PERFORMERS)
    only_known(request, WaitQuery)
    delivery = delivery_request(
        token=request.token,
        identity=said.identity,
        actions=[
            ActionRequest(
                target=said.target, kind=said.kind, slot=said.slot, payload=said.content, by_permit=True
            )
        ],
        brief=said.brief,
        product_name=said.product_name,
        approved_by=said.approved_by,
        approved_at=said.approved_at,
        row=None,
    )
    request.keep = False  # a "go" that is given a second time would be performed a second time
    asking = _asking(request, said)
    action, found = ask_first(delivery=delivery, batch=said.batch, asking=asking)
    return _told(action, found if found.answer != Answer.WAIT else _waited(action, asking, query.wait))


@router.post("/actions/{uuid:action_id}/permits", response=PermitOut, operation_id="ask_for_permit_of_action")
def ask_again(request: ApiRequest, action_id: UUID, said: AskIn, query: Query[WaitQuery]) -> dict[str, Any]:
    """The same for an action whose ID you know (of a delivery with `performed_by: permit`)."""
    must_be(request.token, PERFORMERS)
    only_known(request, WaitQuery)
    request.keep = False
    action = action_of(request.token, action_id)
    return _told(action, _waited(action, _asking(request, said), query.wait))


def _asking(request: ApiRequest, said: AskIn) -> Asking:
    return Asking(
        token=request.token,
        execution=said.execution.strip(),
        lease_s=said.lease_s,
        retry_refused=said.retry_refused,
    )


def _waited(action: Action, asking: Asking, wait_s: int) -> Permission:
    def ask_now() -> Permission:
        action.refresh_from_db(fields=["state", "lease_until"])
        return ask_permit(action=action, asking=asking)

    return wait_until(
        ask_now,
        is_enough=lambda permission: permission.answer != Answer.WAIT,
        wait_s=wait_s,
    )


def _told(asked: Action, found: Permission) -> dict[str, Any]:
    action = selectors.actions_of(Action.objects.filter(pk=asked.pk)).get()
    may = found.answer == Answer.GO
    return {
        "answer": found.answer,
        "reason": found.reason,
        "why": sentence(found.reason, found.params),
        "action": selectors.action_out(action),
        "permit": found.secret or None,
        "expires_at": found.lease_until,
        "marker": action.marker,
        "client_id": action.client_id,
        "idempotency_key": idempotency_key_of(action.marker, found.key_generation or 1) if may else None,
        "replay": found.replay,
        "deadline_s": action.target.profile.deadline_s if found.secret else None,
        "attempt": found.attempt_id,
        "results": found.results,
        "again_at": found.again_at,
        "absent_counts_from": found.absent_counts_from,
        "witness": found.witness,
    }

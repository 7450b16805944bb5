"""Deliveries as programs ask for them become one request to the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from once_delivery.accounts.models import ApiToken
from once_delivery.ledger.models import Run
from once_delivery.ledger.requests import BatchRequest, BatchResult, DeliveryRequest
from once_delivery.ledger.services.note_outside_run import note_outside_run
from once_delivery.ledger.services.request_batch import request_batch
from once_delivery.ledger.transitions import Actor


@dataclass(frozen=True, slots=True)
class Requested:
    """What asking did, and the outside run that it belongs to."""

    result: BatchResult
    run: Run | None


def actor_of(token: ApiToken) -> Actor:
    """Who a program is in events: its token, by its first characters and name."""
    return Actor(f"token:{token.beginning}… {token.name}"[:150])


def request_deliveries(
    *,
    token: ApiToken,
    deliveries: Sequence[DeliveryRequest],
    batch: str,
    execution: str,
    alone: bool = True,
) -> Requested:
    """Afterwards every delivery exists, once, whoever asked before. Raises InvalidInputError (R9).

    Not ``alone``: the caller's transaction ends with what is raised here.
    """
    name = batch.strip() or execution.strip() or f"api {timezone.now():%Y-%m-%d}"
    result = request_batch(
        project=token.project,
        request=BatchRequest(name=name[:200], deliveries=tuple(deliveries), source_name="API"),
        user=None,
        actor=actor_of(token),
        alone=alone,
    )
    run = None
    if execution.strip():
        run = note_outside_run(
            project=token.project,
            batch=result.batch,
            external_id=execution.strip(),
            process=f"api {token.name}",
            task_ids=result.task_ids,
        )
    return Requested(result, run)


def delivery_request(
    *,
    token: ApiToken,
    identity: Any,
    actions: Sequence[Any],
    brief: dict[str, Any] | None,
    product_name: str,
    approved_by: str,
    approved_at: datetime | None,
    row: int | None,
) -> DeliveryRequest:
    """One delivery in the ledger's words; who approved is the token's name when nobody is named."""
    return DeliveryRequest(
        product=identity.product,
        locale=identity.locale,
        purpose=identity.purpose,
        input_version=identity.input_version,
        actions=tuple(actions),
        product_name=product_name,
        brief=brief,
        approved_by=approved_by or token.name,
        approved_at=approved_at,
        row=row,
    )

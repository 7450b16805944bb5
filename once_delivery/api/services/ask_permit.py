"""The action that a workflow means, and the permit for it: request, intent, lease and event are one commit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from django.db import transaction

from once_delivery.accounts.models import ApiToken
from once_delivery.api.services.request_deliveries import actor_of, request_deliveries
from once_delivery.common import canonical
from once_delivery.common.errors import DomainError
from once_delivery.ledger.models import Action, Batch, Run
from once_delivery.ledger.requests import DeliveryRequest
from once_delivery.ledger.services.give_permit import Permission, give_permit
from once_delivery.ledger.services.note_outside_run import note_outside_run


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks, for which execution, and how the permit is wanted."""

    token: ApiToken
    execution: str = ""
    lease_s: float | None = None
    retry_refused: bool = True
    batch: Batch | None = None  # where it is known


def ask_first(*, delivery: DeliveryRequest, batch: str, asking: Asking) -> tuple[Action, Permission]:
    """The action of this delivery, made when nobody asked for it before, and the answer. Raises InvalidInputError (R9)."""
    with transaction.atomic():
        action = _found(asking.token, delivery)
        if action is None:
            asked = request_deliveries(
                token=asking.token,
                deliveries=[delivery],
                batch=batch.strip() or asking.execution,
                execution="",  # noted when the action is held, see ask_permit
                alone=False,
            )
            # not made by this: by somebody else, a moment ago
            action = next(iter(asked.result.made), None) or _found(asking.token, delivery)
            asking = replace(asking, batch=asked.result.batch)
        if action is None:
            raise AssertionError("asked for and not there")
        return action, ask_permit(action=action, asking=asking)


def ask_permit(*, action: Action, asking: Asking) -> Permission:
    """Decide for this action, on behalf of this execution.

    The execution's run is noted after the action is held, always: of two who ask for one execution at once neither
    holds the run while it waits for an action.
    """
    run = cache(lambda: _run(action, asking))
    with transaction.atomic(savepoint=False):
        found = give_permit(
            action=action,
            run=run,
            actor=actor_of(asking.token),
            lease_s=asking.lease_s,
            retry_refused=asking.retry_refused,
        )
        if asking.execution:
            run()  # it has asked, whatever it was told
        return found


def _run(action: Action, asking: Asking) -> Run:
    return note_outside_run(
        project=asking.token.project,
        batch=asking.batch or Batch.objects.filter(references__task=action.task_id).order_by("-pk").first(),
        external_id=asking.execution,
        process=f"api {asking.token.name}",
        task_ids=[action.task_id],
    )


def _found(token: ApiToken, delivery: DeliveryRequest) -> Action | None:
    """By its identity, when it is asked for with the same content and brief as before."""
    (wanted,) = delivery.actions
    try:
        place = {
            "task__product__code": canonical.code(delivery.product, name="product"),
            "task__locale": canonical.locale(delivery.locale),
            "task__purpose": canonical.code(delivery.purpose, name="purpose"),
            "slot": canonical.code(wanted.slot, name="slot"),
            "fingerprint": canonical.fingerprint(dict(wanted.payload)),
        }
    except (DomainError, ValueError, TypeError):
        return None  # asking says what is wrong with it
    found = Action.objects.filter(
        project=token.project_id,
        task__product__project=token.project_id,
        task__input_version__number=delivery.input_version,
        target__name=wanted.target,
        kind=wanted.kind,
        **place,
    )
    if delivery.brief is not None:
        found = found.filter(task__input_version__fingerprint=canonical.fingerprint(dict(delivery.brief)))
    asked = found.only("task", "target", "state", "lease_until")
    return next(iter(asked[:1]), None)  # an identity is one: no order to ask for

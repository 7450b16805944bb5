"""The holder of a permit says that it is still at work."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from once_delivery.ledger import permits
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Action, Attempt, Permit, PermitKind
from once_delivery.ledger.services.give_permit import LEASE_LEAST_S, LEASE_MOST_S
from once_delivery.ledger.services.report_look import PermitExpiredError
from once_delivery.ledger.services.settle_permit import PermitDoesNotFitError
from once_delivery.ledger.transitions import lock
from once_delivery.targets.profile import Guard

LONGEST = timedelta(hours=24)  # after that its holder says nothing by beating


def beat_permit(*, permit: Permit, lease_s: float | None = None) -> datetime:
    """The new end of the lease. Raises PermitDoesNotFitError, PermitExpiredError.

    A request that is sent again under a key must leave within the key's protection: such a permit is not prolonged.
    """
    if permit.kind != PermitKind.PERFORM or permit.attempt_id is None:
        raise PermitDoesNotFitError(kind=permit.get_kind_display())
    profile = Action.objects.select_related("target").get(pk=permit.action_id).target.profile
    wanted = min(max(lease_s or profile.lease_s, LEASE_LEAST_S), LEASE_MOST_S)
    attempt = Attempt.objects.get(pk=permit.attempt_id)
    fixed = attempt.replay and profile.guard != Guard.CLIENT_ID
    with transaction.atomic():
        lock([permit.action_id])
        over = database_now() - permit.given_at > LONGEST
        end = None if fixed or over else permits.beat(permit=permit, token=attempt.token, lease_s=wanted)
    if end is None:
        raise PermitExpiredError(until=permit.lease_until.isoformat())
    return end
